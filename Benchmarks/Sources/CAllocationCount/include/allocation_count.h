// How often malloc was called: the program's own malloc, in front of the C library's.
#pragma once

unsigned long allocation_count(void);
