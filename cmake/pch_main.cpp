// Gives the tests' precompiled headers a target to belong to.
int main() { return 0; }
