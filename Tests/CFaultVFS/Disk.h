// What the files of this module share. Everything in a disk is reached under its lock only.

#ifndef DISK_H
#define DISK_H

#include <pthread.h>
#include <sqlite3.h>

#include "CFaultVFS.h"

typedef struct {
  uint8_t *data;
  int64_t size, capacity;
} fault_bytes;

// A write that was not synced; `data` is null for a truncation to `offset`.
typedef struct {
  int64_t offset, count;
  uint8_t *data;
} fault_pending;

typedef struct fault_handle fault_handle;

// A file as the file system knows it: it outlives its name as long as somebody has it open.
typedef struct fault_file {
  struct fault_file *next;
  char *name;
  fault_bytes current;  // what readers see
  fault_bytes durable;  // what a power cut leaves for sure
  fault_pending *pending;
  int64_t pending_count, pending_capacity;
  bool is_named;          // a reader of the folder sees it
  bool is_named_durably;  // and so does one after a power cut
  fault_handle *handles;
  void **regions;  // memory shared by the connections, as the -shm file of a WAL
  int region_count;
} fault_file;

// What SQLite allocates for an open file.
struct fault_handle {
  sqlite3_file base;
  fault_disk *disk;
  fault_file *file;
  fault_handle *next;
  uint64_t boot;  // of which start of the disk it is
  int lock;       // SQLITE_LOCK_…
  bool is_read_only, has_shared_memory;
  bool syncs_names;  // with its next sync
  uint16_t shared_locks, exclusive_locks;  // on the eight slots of the shared memory
};

// What a power cut at a point would have left, kept until a test takes it.
typedef struct fault_copy {
  struct fault_copy *next;
  fault_file *files;
  uint64_t point, seed;
} fault_copy;

struct fault_disk {
  fault_disk *next;
  char *folder;
  int references;
  pthread_mutex_t mutex;
  fault_file *files;
  uint64_t boot, points, cut_point, cut_seed;
  bool is_off, is_read_only, cut_is_kill;
  uint64_t fates[FAULT_FILE_KINDS][FAULT_FATES];
  uint64_t calls[FAULT_ANY + 1], fail_at, failures;
  fault_call fail_call;
  fault_error fail_error;
  bool fail_lasting;
  uint64_t copies_per_point, copy_seed;
  fault_copy *copies, **last_copy;
};

extern const sqlite3_io_methods fault_file_methods;

// Where there is no such file, null.
fault_file *fault_find(fault_disk *disk, const char *name);
fault_file *fault_create(fault_disk *disk, const char *name);
void fault_forget_unused(fault_disk *disk);
void fault_unmap(fault_file *file);

void fault_write(fault_file *file, int64_t offset, const void *data, int64_t count);
void fault_truncate(fault_file *file, int64_t size);
void fault_sync(fault_file *file);
void fault_sync_names(fault_disk *disk);
// A sync that failed: what was pending stays visible, and is never written (as Linux does).
void fault_abandon(fault_file *file);
void fault_cut(fault_disk *disk, uint64_t seed);
void fault_kill(fault_disk *disk);
// New files with what a power cut leaves of those of the disk.
fault_file *fault_survivors(fault_disk *disk, uint64_t seed);
uint64_t fault_random(uint64_t *state);

// Counts a call, before it has an effect; what it returns other than SQLITE_OK, the call returns and has none.
int fault_enter(fault_disk *disk, fault_call call, uint64_t boot);
// Counts a change of the disk, and cuts power where a test asked for it: the call then fails with the error it has.
int fault_pass_point(fault_disk *disk, fault_call call);

// A disk with one reference, which no path leads to yet.
fault_disk *fault_disk_make(const char *folder);
void fault_disk_register(fault_disk *disk);
// Drops a reference; the disk must not be locked.
void fault_disk_release(fault_disk *disk);

#endif
