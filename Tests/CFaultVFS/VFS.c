// The door: paths inside a disk's folder go to the disk, all others to the file system that SQLite had before.

#include <stdlib.h>
#include <string.h>

#include "Disk.h"

// Guards the list of disks and their references; taken before a disk's own lock, never inside it.
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static fault_disk *disks;
static sqlite3_vfs door;
static sqlite3_vfs *real;

// The disk that a path is on, retained; `name` is what follows its folder.
static fault_disk *disk_of(const char *path, const char **name) {
  fault_disk *disk = NULL;
  pthread_mutex_lock(&registry);
  for (disk = path ? disks : NULL; disk; disk = disk->next) {
    size_t length = strlen(disk->folder);
    if (strncmp(path, disk->folder, length) != 0 || path[length] != '/') continue;
    *name = path + length + 1;
    disk->references++;
    break;
  }
  pthread_mutex_unlock(&registry);
  return disk;
}

static void forget_all(fault_disk *disk) {
  for (fault_file *file = disk->files; file; file = file->next) file->is_named = file->is_named_durably = false;
  fault_forget_unused(disk);
}

void fault_disk_release(fault_disk *disk) {
  pthread_mutex_lock(&registry);
  bool is_last = --disk->references == 0;
  pthread_mutex_unlock(&registry);
  if (!is_last) return;
  forget_all(disk);
  for (fault_copy *copy = disk->copies, *next; copy; copy = next) {
    next = copy->next;
    disk->files = copy->files;
    forget_all(disk);
    free(copy);
  }
  pthread_mutex_destroy(&disk->mutex);
  free(disk->folder);
  free(disk);
}

static int open_on(fault_disk *disk, const char *name, fault_handle *handle, int flags, int *out_flags) {
  int result = fault_enter(disk, FAULT_OPEN, disk->boot);
  if (result != SQLITE_OK) return result;
  fault_file *file = fault_find(disk, name);
  if (!file && (disk->is_read_only || !(flags & SQLITE_OPEN_CREATE))) return SQLITE_CANTOPEN;
  if (!file) file = fault_create(disk, name);
  // As SQLite's own layer for Unix: the first sync of a journal or WAL that this opening may have made syncs the folder
  // as well.
  bool syncs_names = flags & SQLITE_OPEN_CREATE && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  bool is_read_only = disk->is_read_only || flags & SQLITE_OPEN_READONLY;
  // A file that may not be written is opened for reading, and SQLite told so.
  if (is_read_only) flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  *handle = (fault_handle){
    .base.pMethods = &fault_file_methods,
    .disk = disk,
    .file = file,
    .next = file->handles,
    .boot = disk->boot,
    .is_read_only = is_read_only,
    .syncs_names = syncs_names,
  };
  file->handles = handle;
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

static int door_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  const char *name;
  fault_disk *disk = disk_of(path, &name);
  if (!disk) return real->xOpen(real, path, file, flags, out_flags);
  file->pMethods = NULL;
  pthread_mutex_lock(&disk->mutex);
  int result = open_on(disk, name, (fault_handle *)file, flags, out_flags);
  pthread_mutex_unlock(&disk->mutex);
  // An open file keeps its disk.
  if (result != SQLITE_OK) fault_disk_release(disk);
  return result;
}

static int door_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
  (void)vfs;
  const char *name;
  fault_disk *disk = disk_of(path, &name);
  if (!disk) return real->xDelete(real, path, sync_folder);
  pthread_mutex_lock(&disk->mutex);
  int result = fault_enter(disk, FAULT_DELETE, disk->boot);
  fault_file *file = fault_find(disk, name);
  if (result == SQLITE_OK && !file) result = SQLITE_IOERR_DELETE_NOENT;
  if (result == SQLITE_OK && disk->is_read_only) result = SQLITE_READONLY;
  if (result == SQLITE_OK) {
    file->is_named = false;
    result = fault_pass_point(disk, FAULT_DELETE);
    if (result == SQLITE_OK && sync_folder) fault_sync_names(disk);
    if (result == SQLITE_OK) fault_forget_unused(disk);
  }
  pthread_mutex_unlock(&disk->mutex);
  fault_disk_release(disk);
  return result;
}

static int door_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  (void)vfs;
  const char *name;
  fault_disk *disk = disk_of(path, &name);
  if (!disk) return real->xAccess(real, path, flags, answer);
  pthread_mutex_lock(&disk->mutex);
  int result = fault_enter(disk, FAULT_ACCESS, disk->boot);
  fault_file *file = fault_find(disk, name);
  // As SQLite's own layer for Unix: an empty file counts as none.
  *answer = file && (flags == SQLITE_ACCESS_EXISTS ? file->current.size > 0 : !disk->is_read_only);
  pthread_mutex_unlock(&disk->mutex);
  fault_disk_release(disk);
  return result;
}

static int door_full_path(sqlite3_vfs *vfs, const char *path, int size, char *out) {
  (void)vfs;
  const char *name;
  fault_disk *disk = disk_of(path, &name);
  if (!disk) return real->xFullPathname(real, path, size, out);
  fault_disk_release(disk);
  if ((int)strlen(path) >= size) return SQLITE_CANTOPEN;
  strcpy(out, path);
  return SQLITE_OK;
}

static void put_door(void) {
  real = sqlite3_vfs_find(NULL);
  door = *real;
  door.zName = "modelgen-fault";
  door.pNext = NULL;
  if (door.szOsFile < (int)sizeof(fault_handle)) door.szOsFile = sizeof(fault_handle);
  door.xOpen = door_open;
  door.xDelete = door_delete;
  door.xAccess = door_access;
  door.xFullPathname = door_full_path;
  // The rest (time, randomness, libraries) is the real one's, whose functions use nothing but its fields.
  sqlite3_vfs_register(&door, 1);
}

fault_disk *fault_disk_make(const char *folder) {
  fault_disk *disk = calloc(1, sizeof(fault_disk));
  disk->folder = strdup(folder);
  disk->references = 1;
  disk->last_copy = &disk->copies;
  pthread_mutex_init(&disk->mutex, NULL);
  return disk;
}

void fault_disk_register(fault_disk *disk) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, put_door);
  pthread_mutex_lock(&registry);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&registry);
}

fault_disk *fault_disk_open(const char *folder) {
  fault_disk *disk = fault_disk_make(folder);
  fault_disk_register(disk);
  return disk;
}

void fault_disk_close(fault_disk *disk) {
  pthread_mutex_lock(&registry);
  fault_disk **link = &disks;
  while (*link != disk) link = &(*link)->next;
  *link = disk->next;
  pthread_mutex_unlock(&registry);
  fault_disk_release(disk);
}
