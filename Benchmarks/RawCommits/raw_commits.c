#include "raw_commits.h"

#include <sqlite3.h>
#include <stdlib.h>

enum { BEGIN, COMMIT, QUEUE, MEMBER, OUTCOME, OBJECT, PUT_OBJECT, PUT_OUTCOME, PUT_QUEUE, QUEUE_USAGE, ACCOUNT_USAGE, COUNT };

static const char *const texts[COUNT] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [QUEUE] = "SELECT head, floor, retention, live, digest FROM queue WHERE queue = ?",
    [MEMBER] = "SELECT role, membership, addedBy, since FROM member WHERE queue = ? AND account = ?",
    [OUTCOME] = "SELECT status, code, at, time, attempt FROM outcome WHERE queue = ? AND operation = ?",
    [OBJECT] = "SELECT id, revision, type, newestBy, createdBy, createdAt, updatedAt, content FROM object"
               " WHERE queue = ? AND id = ?",
    [PUT_OBJECT] = "INSERT INTO object (queue, id, revision, type, newestBy, createdBy, createdAt, updatedAt, content)"
                   " VALUES (?1, ?2, ?3, 'note', ?4, ?5, ?4, ?4, ?6)",
    [PUT_OUTCOME] = "INSERT INTO outcome (queue, operation, status, code, at, time, attempt, account)"
                    " VALUES (?, ?, 1, NULL, ?, ?, 0, ?)",
    [PUT_QUEUE] = "UPDATE queue SET head = ?, live = ?, digest = digest + 1 WHERE queue = ?",
    [QUEUE_USAGE] = "INSERT INTO queueUsage (queue, rows, bytes) VALUES (?, 1, ?)"
                    " ON CONFLICT (queue) DO UPDATE SET rows = rows + excluded.rows, bytes = bytes + excluded.bytes",
    [ACCOUNT_USAGE] = "INSERT INTO accountUsage (account, rows, bytes) VALUES (?, 2, ?)"
                      " ON CONFLICT (account) DO UPDATE SET rows = rows + excluded.rows, bytes = bytes + excluded.bytes",
};

struct raw_commits {
  sqlite3 *database;
  sqlite3_stmt *statements[COUNT];
};

raw_commits *raw_commits_open(const char *path) {
  raw_commits *commits = calloc(1, sizeof *commits);
  if (!commits) return NULL;
  int code = sqlite3_open(path, &commits->database);
  if (!code) {
    code = sqlite3_exec(commits->database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
  }
  for (int index = 0; index < COUNT && !code; index++) {
    code = sqlite3_prepare_v3(
        commits->database, texts[index], -1, SQLITE_PREPARE_PERSISTENT, &commits->statements[index], NULL);
  }
  if (!code) return commits;
  raw_commits_close(commits);
  return NULL;
}

void raw_commits_close(raw_commits *commits) {
  for (int index = 0; index < COUNT; index++) sqlite3_finalize(commits->statements[index]);
  sqlite3_close(commits->database);
  free(commits);
}

static sqlite3_stmt *bound(raw_commits *commits, int index, const unsigned char *first, const unsigned char *second) {
  sqlite3_stmt *statement = commits->statements[index];
  sqlite3_reset(statement);
  if (first) sqlite3_bind_blob(statement, 1, first, 16, SQLITE_STATIC);
  if (second) sqlite3_bind_blob(statement, 2, second, 16, SQLITE_STATIC);
  return statement;
}

static int run(sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

int raw_commits_run(
    raw_commits *commits, const unsigned char *queue, const unsigned char *account, const unsigned char *operation,
    const unsigned char *object, const void *content, int count, long long time) {
  int code = run(bound(commits, BEGIN, NULL, NULL));
  if (code) return code;
  sqlite3_stmt *statement = bound(commits, QUEUE, queue, NULL);
  if (sqlite3_step(statement) != SQLITE_ROW) return SQLITE_NOTFOUND;
  long long head = sqlite3_column_int64(statement, 0) + 1, live = sqlite3_column_int64(statement, 3) + 1;
  sqlite3_reset(statement);
  run(bound(commits, MEMBER, queue, account));
  run(bound(commits, OUTCOME, queue, operation));
  run(bound(commits, OBJECT, queue, object));

  statement = bound(commits, PUT_OBJECT, queue, object);
  sqlite3_bind_int64(statement, 3, head);
  sqlite3_bind_int64(statement, 4, -9223372036854775807LL - 1);
  sqlite3_bind_blob(statement, 5, account, 16, SQLITE_STATIC);
  sqlite3_bind_blob(statement, 6, content, count, SQLITE_STATIC);
  if ((code = run(statement))) return code;
  statement = bound(commits, PUT_OUTCOME, queue, operation);
  sqlite3_bind_int64(statement, 3, head);
  sqlite3_bind_int64(statement, 4, time);
  sqlite3_bind_blob(statement, 5, account, 16, SQLITE_STATIC);
  if ((code = run(statement))) return code;
  statement = bound(commits, PUT_QUEUE, NULL, NULL);
  sqlite3_bind_int64(statement, 1, head);
  sqlite3_bind_int64(statement, 2, live);
  sqlite3_bind_blob(statement, 3, queue, 16, SQLITE_STATIC);
  if ((code = run(statement))) return code;
  statement = bound(commits, QUEUE_USAGE, queue, NULL);
  sqlite3_bind_int64(statement, 2, count);
  if ((code = run(statement))) return code;
  statement = bound(commits, ACCOUNT_USAGE, account, NULL);
  sqlite3_bind_int64(statement, 2, count);
  if ((code = run(statement))) return code;
  return run(bound(commits, COMMIT, NULL, NULL));
}
