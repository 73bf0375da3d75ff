// What a test does to a disk: cuts its power, makes calls fail, damages files.

#include <stdlib.h>
#include <string.h>

#include "Disk.h"

#define LOCKED(disk, body)                 \
  do {                                     \
    pthread_mutex_lock(&(disk)->mutex);    \
    body;                                  \
    pthread_mutex_unlock(&(disk)->mutex);  \
  } while (0)

static int io_error(fault_call call) {
  switch (call) {
    case FAULT_WRITE: return SQLITE_IOERR_WRITE;
    case FAULT_TRUNCATE: return SQLITE_IOERR_TRUNCATE;
    case FAULT_SYNC: return SQLITE_IOERR_FSYNC;
    case FAULT_DELETE: return SQLITE_IOERR_DELETE;
    case FAULT_READ: return SQLITE_IOERR_READ;
    case FAULT_OPEN: return SQLITE_CANTOPEN;
    case FAULT_ACCESS: return SQLITE_IOERR_ACCESS;
    case FAULT_SIZE: return SQLITE_IOERR_FSTAT;
    case FAULT_SHARED_MEMORY: return SQLITE_IOERR_SHMMAP;
    case FAULT_ANY: break;
  }
  return SQLITE_IOERR;
}

int fault_enter(fault_disk *disk, fault_call call, uint64_t boot) {
  if (disk->is_off || boot != disk->boot) return io_error(call);
  uint64_t of_kind = ++disk->calls[call], of_any = ++disk->calls[FAULT_ANY];
  if (disk->fail_at == 0 || (disk->fail_call != FAULT_ANY && disk->fail_call != call)) return SQLITE_OK;
  uint64_t number = disk->fail_call == FAULT_ANY ? of_any : of_kind;
  if (number < disk->fail_at || (number > disk->fail_at && !disk->fail_lasting)) return SQLITE_OK;
  disk->failures++;
  if (disk->fail_error == FAULT_DISK_FULL && call == FAULT_WRITE) return SQLITE_FULL;
  if (disk->fail_error == FAULT_SHORT_READ && call == FAULT_READ) return SQLITE_IOERR_SHORT_READ;
  return io_error(call);
}

int fault_pass_point(fault_disk *disk, fault_call call) {
  disk->points++;
  for (uint64_t i = 0; i < disk->copies_per_point; i++) {
    fault_copy *copy = calloc(1, sizeof(fault_copy));
    copy->point = disk->points;
    // Of the point and the number alone, so that more copies a point do not change those that were made before.
    uint64_t state = disk->copy_seed ^ (disk->points << 8 | i);
    copy->seed = fault_random(&state);
    copy->files = fault_survivors(disk, copy->seed);
    *disk->last_copy = copy;
    disk->last_copy = &copy->next;
  }
  if (disk->points != disk->cut_point) return SQLITE_OK;
  if (disk->cut_is_kill) {
    fault_kill(disk);
  } else {
    fault_cut(disk, disk->cut_seed);
  }
  return io_error(call);
}

void fault_disk_cut_at(fault_disk *disk, uint64_t point, uint64_t seed) {
  LOCKED(disk, disk->cut_point = point; disk->cut_seed = seed; disk->cut_is_kill = false);
}

void fault_disk_cut(fault_disk *disk, uint64_t seed) {
  LOCKED(disk, if (!disk->is_off) fault_cut(disk, seed));
}

void fault_disk_kill_at(fault_disk *disk, uint64_t point) {
  LOCKED(disk, disk->cut_point = point; disk->cut_is_kill = true);
}

void fault_disk_kill(fault_disk *disk) {
  LOCKED(disk, if (!disk->is_off) fault_kill(disk));
}

void fault_disk_restart(fault_disk *disk) {
  LOCKED(disk, disk->boot++; disk->is_off = false; disk->points = disk->cut_point = disk->fail_at = 0);
}

void fault_disk_copy_points(fault_disk *disk, uint64_t per_point, uint64_t seed) {
  LOCKED(disk, disk->copies_per_point = per_point; disk->copy_seed = seed);
}

fault_disk *fault_disk_take_copy(fault_disk *disk, const char *folder, uint64_t *point, uint64_t *seed) {
  fault_copy *copy;
  LOCKED(disk, copy = disk->copies; if (copy) disk->copies = copy->next;
         if (!disk->copies) disk->last_copy = &disk->copies);
  if (!copy) return NULL;
  fault_disk *taken = fault_disk_make(folder);
  taken->files = copy->files;
  *point = copy->point;
  *seed = copy->seed;
  free(copy);
  fault_disk_register(taken);
  return taken;
}

bool fault_disk_is_off(fault_disk *disk) {
  bool is_off;
  LOCKED(disk, is_off = disk->is_off);
  return is_off;
}

uint64_t fault_disk_points(fault_disk *disk) {
  uint64_t points;
  LOCKED(disk, points = disk->points);
  return points;
}

uint64_t fault_disk_fates(fault_disk *disk, fault_file_kind kind, fault_fate fate) {
  uint64_t count;
  LOCKED(disk, count = disk->fates[kind][fate]);
  return count;
}

void fault_disk_fail(fault_disk *disk, fault_call call, uint64_t at, bool lasting, fault_error error) {
  LOCKED(disk, memset(disk->calls, 0, sizeof disk->calls); disk->failures = 0; disk->fail_call = call;
         disk->fail_at = at; disk->fail_lasting = lasting; disk->fail_error = error);
}

uint64_t fault_disk_calls(fault_disk *disk, fault_call call) {
  uint64_t calls;
  LOCKED(disk, calls = disk->calls[call]);
  return calls;
}

uint64_t fault_disk_failures(fault_disk *disk) {
  uint64_t failures;
  LOCKED(disk, failures = disk->failures);
  return failures;
}

void fault_disk_set_read_only(fault_disk *disk, bool read_only) {
  LOCKED(disk, disk->is_read_only = read_only);
}

int64_t fault_disk_size(fault_disk *disk, const char *name) {
  fault_file *file;
  LOCKED(disk, file = fault_find(disk, name));
  return file ? file->current.size : -1;
}

int64_t fault_disk_read(fault_disk *disk, const char *name, void *bytes, int64_t count) {
  pthread_mutex_lock(&disk->mutex);
  fault_file *file = fault_find(disk, name);
  if (!file || count > file->current.size) count = file ? file->current.size : 0;
  if (count) memcpy(bytes, file->current.data, (size_t)count);
  pthread_mutex_unlock(&disk->mutex);
  return count;
}

void fault_disk_replace(fault_disk *disk, const char *name, const void *bytes, int64_t count) {
  pthread_mutex_lock(&disk->mutex);
  fault_file *file = fault_find(disk, name);
  if (!file) file = fault_create(disk, name);
  fault_truncate(file, 0);
  if (count) fault_write(file, 0, bytes, count);
  fault_sync(file);
  file->is_named_durably = true;
  pthread_mutex_unlock(&disk->mutex);
}

void fault_disk_remove(fault_disk *disk, const char *name) {
  pthread_mutex_lock(&disk->mutex);
  fault_file *file = fault_find(disk, name);
  if (file) file->is_named = file->is_named_durably = false;
  fault_forget_unused(disk);
  pthread_mutex_unlock(&disk->mutex);
}
