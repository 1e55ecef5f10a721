#ifndef MORE_H
#define MORE_H
enum { MORE = 1 };
#endif
