// The start of a program, with the calls that Swift's Glibc does not show: its folder, and closing what it does not get.

#ifndef C_SPAWN_H
#define C_SPAWN_H

#include <sys/types.h>

// Starts `arguments[0]`, a path, in `folder` with an empty standard input, `output` and `errors`, and no other open
// file. Both lists end with a null pointer. Returns 0 and sets `child`, or an error of errno.h.
int spawn_program(
    pid_t *child, const char *folder, char *const arguments[], char *const environment[], int output, int errors);

#endif
