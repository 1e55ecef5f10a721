int answer(void);
int main(void) { return answer() == 42 ? 0 : 1; }
