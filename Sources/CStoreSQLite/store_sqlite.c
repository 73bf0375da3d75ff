#include "store_sqlite.h"

#include <sqlite3.h>

void store_sqlite_count_no_memory(void) {
#ifndef __APPLE__
  // Apple's SQLite counts nothing as it is. Elsewhere the answer does not matter: it is refused where it is too late.
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
#endif
}
