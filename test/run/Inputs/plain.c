/* A plain C unit: calls into AMP-C through ordinary prototypes. */
void fill_elsewhere(int *data, int n);

int sum_of_filled(int n)
{
    int data[100], sum = 0;
    fill_elsewhere(data, n);
    for (int i = 0; i < n; ++i)
        sum += data[i];
    return sum;
}
