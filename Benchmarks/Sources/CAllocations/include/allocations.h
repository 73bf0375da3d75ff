// What the program asks of the C library's memory: 0 where it cannot be asked.
#pragma once

// How often malloc and its like were called: the program's own stand in front of the C library's. By the
// thread that asks.
unsigned long allocation_count(void);

// Bytes in live allocations, malloc's own headers included.
unsigned long allocated_bytes(void);

// Bytes of the process that are in memory.
unsigned long resident_bytes(void);

// Gives what is free back to the system, so that what is held next shows in resident_bytes.
void release_free_memory(void);

// The most that resident_bytes ever was since forget_peak.
unsigned long peak_resident_bytes(void);
void forget_peak(void);
