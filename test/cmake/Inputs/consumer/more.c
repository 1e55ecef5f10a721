int more(void);
int more(void) { return 1; }
