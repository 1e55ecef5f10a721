#define PART 100
