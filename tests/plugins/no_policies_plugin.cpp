// A shared object of something else.
extern "C" int answer() { return 42; }
