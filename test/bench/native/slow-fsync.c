/*
 * Preloaded into a server process: every fsync and fdatasync takes SLOW_FSYNC_US microseconds longer, like a disk whose
 * write cache has to be emptied. cc -shared -fPIC -O2 -o slow-fsync.so slow-fsync.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

static void linger(void) {
  const char *text = getenv("SLOW_FSYNC_US");
  long us = text == NULL ? 0 : atol(text);
  struct timespec left = {us / 1000000, (us % 1000000) * 1000};
  int saved = errno;
  while (us > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  errno = saved;
}

static int slowed(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = real(fd);
  linger();
  return result;
}

int fsync(int fd) { return slowed("fsync", fd); }

int fdatasync(int fd) { return slowed("fdatasync", fd); }
