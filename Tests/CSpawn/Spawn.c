#define _GNU_SOURCE
#include "CSpawn.h"

#include <fcntl.h>
#include <spawn.h>

int spawn_program(
    pid_t *child, const char *folder, char *const arguments[], char *const environment[], int output, int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  code = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (code == 0) code = posix_spawn_file_actions_adddup2(&actions, errors, 2);
  if (code == 0) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (code == 0) code = posix_spawn_file_actions_addchdir_np(&actions, folder);
#ifdef __APPLE__
  if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_CLOEXEC_DEFAULT);
#else
  if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
  if (code == 0) code = posix_spawn(child, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}
