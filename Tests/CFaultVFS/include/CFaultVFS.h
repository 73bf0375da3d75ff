// A disk in memory for SQLite, which can lose power, fail and be damaged, at a place that a test names.
//
// SQLite reaches it by path: once a disk exists, every database inside the disk's folder is on it, and every other
// path goes to the real file system. So suites that run side by side in one process do not see each other's disks.

#ifndef C_FAULT_VFS_H
#define C_FAULT_VFS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fault_disk fault_disk;

// What SQLite calls. The first four change the disk: they are the points at which power can go.
typedef enum {
  FAULT_WRITE,
  FAULT_TRUNCATE,
  FAULT_SYNC,
  FAULT_DELETE,
  FAULT_READ,
  FAULT_OPEN,
  FAULT_ACCESS,
  FAULT_SIZE,
  FAULT_SHARED_MEMORY,
  FAULT_ANY
} fault_call;

typedef enum {
  FAULT_IO_ERROR,    // the error that belongs to the call
  FAULT_DISK_FULL,   // as FAULT_IO_ERROR for calls that need no room
  FAULT_SHORT_READ,  // half of what was asked for, the rest zero; as FAULT_IO_ERROR for other calls
} fault_error;

typedef enum { FAULT_DATABASE, FAULT_WAL, FAULT_JOURNAL, FAULT_FILE_KINDS } fault_file_kind;

// What a power cut did to writes that were not synced, and to files made or deleted since.
typedef enum { FAULT_LOST, FAULT_WHOLE, FAULT_TORN, FAULT_NAME_LOST, FAULT_NAME_KEPT, FAULT_FATES } fault_fate;

// `folder` ends without a slash. Freed when it was closed and the last of its files is.
fault_disk *fault_disk_open(const char *folder);
void fault_disk_close(fault_disk *disk);

// Power.
void fault_disk_cut_at(fault_disk *disk, uint64_t point, uint64_t seed);  // during that call; 0 for never
void fault_disk_cut(fault_disk *disk, uint64_t seed);                     // now
// The end of the process that uses the disk, now or during that call: what it wrote stays, as the system still has it,
// though a power cut may yet take what was not synced. Until the disk is restarted it is off, as after a cut.
void fault_disk_kill(fault_disk *disk);
void fault_disk_kill_at(fault_disk *disk, uint64_t point);
void fault_disk_restart(fault_disk *disk);  // after a cut: the disk works again; files opened before never do
bool fault_disk_is_off(fault_disk *disk);
uint64_t fault_disk_points(fault_disk *disk);  // since it was opened or restarted
uint64_t fault_disk_fates(fault_disk *disk, fault_file_kind kind, fault_fate fate);

// Power cuts in a world beside this one: from now on every point leaves `per_point` copies of what the disk would hold
// had power gone in that call, each under a seed of its own; the disk itself goes on. A copy becomes a disk when it is
// taken, oldest first; null when none is left.
void fault_disk_copy_points(fault_disk *disk, uint64_t per_point, uint64_t seed);
fault_disk *fault_disk_take_copy(fault_disk *disk, const char *folder, uint64_t *point, uint64_t *seed);

// Errors: the call number `at` (from 1) of a kind from now on, and all that follow when `lasting`; 0 for none.
void fault_disk_fail(fault_disk *disk, fault_call call, uint64_t at, bool lasting, fault_error error);
uint64_t fault_disk_calls(fault_disk *disk, fault_call call);   // since fault_disk_fail
uint64_t fault_disk_failures(fault_disk *disk);                 // calls that failed by it
void fault_disk_set_read_only(fault_disk *disk, bool read_only);

// Damage and copies, by file name inside the folder. Sizes are -1 and reads 0 bytes where there is no such file.
int64_t fault_disk_size(fault_disk *disk, const char *name);
int64_t fault_disk_read(fault_disk *disk, const char *name, void *bytes, int64_t count);
void fault_disk_replace(fault_disk *disk, const char *name, const void *bytes, int64_t count);
void fault_disk_remove(fault_disk *disk, const char *name);

#endif
