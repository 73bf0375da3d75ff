// An open file, as SQLite uses it: reading, writing, and the locks of the main database file.

#include <string.h>

#include "Disk.h"

static int enter(fault_handle *handle, fault_call call) {
  pthread_mutex_lock(&handle->disk->mutex);
  return fault_enter(handle->disk, call, handle->boot);
}

static int leave(fault_handle *handle, int result) {
  pthread_mutex_unlock(&handle->disk->mutex);
  return result;
}

static int file_close(sqlite3_file *base) {
  fault_handle *handle = (fault_handle *)base;
  fault_disk *disk = handle->disk;
  pthread_mutex_lock(&disk->mutex);
  fault_handle **link = &handle->file->handles;
  while (*link != handle) link = &(*link)->next;
  *link = handle->next;
  fault_forget_unused(disk);
  pthread_mutex_unlock(&disk->mutex);
  fault_disk_release(disk);
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *into, int count, sqlite3_int64 offset) {
  fault_handle *handle = (fault_handle *)base;
  int result = enter(handle, FAULT_READ);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) return leave(handle, result);
  int64_t wanted = result == SQLITE_OK ? count : count / 2, found = handle->file->current.size - offset;
  if (found < 0) found = 0;
  if (found > wanted) found = wanted;
  if (found) memcpy(into, handle->file->current.data + offset, (size_t)found);
  // SQLite relies on zeros in the rest.
  memset((char *)into + found, 0, (size_t)(count - found));
  return leave(handle, found < count ? SQLITE_IOERR_SHORT_READ : SQLITE_OK);
}

static int file_write(sqlite3_file *base, const void *data, int count, sqlite3_int64 offset) {
  fault_handle *handle = (fault_handle *)base;
  int result = enter(handle, FAULT_WRITE);
  if (result == SQLITE_OK && handle->is_read_only) result = SQLITE_READONLY;
  // A full disk takes what there is room for.
  if (result == SQLITE_FULL) fault_write(handle->file, offset, data, count / 2);
  if (result != SQLITE_OK) return leave(handle, result);
  fault_write(handle->file, offset, data, count);
  return leave(handle, fault_pass_point(handle->disk, FAULT_WRITE));
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  fault_handle *handle = (fault_handle *)base;
  int result = enter(handle, FAULT_TRUNCATE);
  if (result != SQLITE_OK) return leave(handle, result);
  fault_truncate(handle->file, size);
  return leave(handle, fault_pass_point(handle->disk, FAULT_TRUNCATE));
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  fault_handle *handle = (fault_handle *)base;
  int result = enter(handle, FAULT_SYNC);
  if (result != SQLITE_OK) {
    if (handle->boot == handle->disk->boot && !handle->disk->is_off) fault_abandon(handle->file);
    return leave(handle, result);
  }
  result = fault_pass_point(handle->disk, FAULT_SYNC);
  if (result == SQLITE_OK) {
    fault_sync(handle->file);
    if (handle->syncs_names) fault_sync_names(handle->disk);
    handle->syncs_names = false;
  }
  return leave(handle, result);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  fault_handle *handle = (fault_handle *)base;
  int result = enter(handle, FAULT_SIZE);
  *size = handle->file->current.size;
  return leave(handle, result);
}

// Whether another connection that still lives has a lock of this level or a higher one.
static bool is_locked_by_another(fault_handle *handle, int level) {
  for (fault_handle *other = handle->file->handles; other; other = other->next) {
    if (other != handle && other->lock >= level) return true;
  }
  return false;
}

static int file_lock(sqlite3_file *base, int level) {
  fault_handle *handle = (fault_handle *)base;
  pthread_mutex_lock(&handle->disk->mutex);
  // Who was killed closes nothing: with this lock SQLite removes the log by its name, which is that of the next process.
  if (handle->disk->is_off || handle->boot != handle->disk->boot) return leave(handle, SQLITE_IOERR_LOCK);
  if (handle->lock >= level) return leave(handle, SQLITE_OK);
  int obstacle = level == SQLITE_LOCK_SHARED ? SQLITE_LOCK_PENDING : SQLITE_LOCK_RESERVED;
  bool is_free = !is_locked_by_another(handle, obstacle);
  if (is_free && level == SQLITE_LOCK_EXCLUSIVE && is_locked_by_another(handle, SQLITE_LOCK_SHARED)) {
    // Keeps new readers out until those at work have finished.
    handle->lock = SQLITE_LOCK_PENDING;
    is_free = false;
  }
  if (is_free) handle->lock = level;
  return leave(handle, is_free ? SQLITE_OK : SQLITE_BUSY);
}

static int file_unlock(sqlite3_file *base, int level) {
  fault_handle *handle = (fault_handle *)base;
  pthread_mutex_lock(&handle->disk->mutex);
  if (handle->lock > level) handle->lock = level;
  return leave(handle, SQLITE_OK);
}

static int file_check_reserved(sqlite3_file *base, int *is_reserved) {
  fault_handle *handle = (fault_handle *)base;
  pthread_mutex_lock(&handle->disk->mutex);
  *is_reserved = handle->lock >= SQLITE_LOCK_RESERVED || is_locked_by_another(handle, SQLITE_LOCK_RESERVED);
  return leave(handle, SQLITE_OK);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  (void)base, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

// As SQLite's own layer for Unix has them.
static int file_sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;
}

static int file_device(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// The memory that the connections of a database share in place of a -shm file: SQLite makes it anew from the WAL when
// nobody has it, so it need not survive anything.

void fault_unmap(fault_file *file) {
  for (int i = 0; i < file->region_count; i++) sqlite3_free(file->regions[i]);
  sqlite3_free(file->regions);
  file->regions = NULL;
  file->region_count = 0;
}

static int shared_map(sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
  fault_handle *handle = (fault_handle *)base;
  fault_file *file = handle->file;
  int result = enter(handle, FAULT_SHARED_MEMORY);
  *memory = NULL;
  // As SQLite's own layer for Unix: who opened the database for reading only still writes into the shared memory.
  if (result == SQLITE_OK && handle->disk->is_read_only) result = SQLITE_CANTOPEN;
  if (result != SQLITE_OK) return leave(handle, result);
  handle->has_shared_memory = true;
  while (extend && file->region_count <= region) {
    file->regions = sqlite3_realloc64(file->regions, (sqlite3_uint64)(file->region_count + 1) * sizeof(void *));
    file->regions[file->region_count++] = memset(sqlite3_malloc(size), 0, (size_t)size);
  }
  if (region < file->region_count) *memory = file->regions[region];
  return leave(handle, SQLITE_OK);
}

static int shared_lock(sqlite3_file *base, int first, int count, int flags) {
  fault_handle *handle = (fault_handle *)base;
  uint16_t slots = (uint16_t)((1 << (first + count)) - (1 << first));
  pthread_mutex_lock(&handle->disk->mutex);
  if (flags & SQLITE_SHM_UNLOCK) {
    handle->shared_locks &= (uint16_t)~slots;
    handle->exclusive_locks &= (uint16_t)~slots;
    return leave(handle, SQLITE_OK);
  }
  for (fault_handle *other = handle->file->handles; other; other = other->next) {
    uint16_t held = other->exclusive_locks | (flags & SQLITE_SHM_EXCLUSIVE ? other->shared_locks : 0);
    if (other != handle && held & slots) return leave(handle, SQLITE_BUSY);
  }
  if (flags & SQLITE_SHM_EXCLUSIVE) {
    handle->exclusive_locks |= slots;
  } else {
    handle->shared_locks |= slots;
  }
  return leave(handle, SQLITE_OK);
}

static void shared_barrier(sqlite3_file *base) {
  fault_handle *handle = (fault_handle *)base;
  pthread_mutex_lock(&handle->disk->mutex);
  pthread_mutex_unlock(&handle->disk->mutex);
}

static int shared_unmap(sqlite3_file *base, int delete) {
  (void)delete;
  fault_handle *handle = (fault_handle *)base;
  pthread_mutex_lock(&handle->disk->mutex);
  handle->has_shared_memory = false;
  handle->shared_locks = handle->exclusive_locks = 0;
  bool is_used = false;
  for (fault_handle *other = handle->file->handles; other; other = other->next) is_used |= other->has_shared_memory;
  if (!is_used) fault_unmap(handle->file);
  return leave(handle, SQLITE_OK);
}

const sqlite3_io_methods fault_file_methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_device,
  .xShmMap = shared_map,
  .xShmLock = shared_lock,
  .xShmBarrier = shared_barrier,
  .xShmUnmap = shared_unmap,
};
