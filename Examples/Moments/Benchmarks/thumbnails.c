// What thumbnails of JPEGs cost with libjpeg-turbo, as before decision 26, and with libvips. Prints milliseconds of the
// processor and the peak of memory.
//
// cc -O2 thumbnails.c -o thumbnails $(pkg-config --cflags --libs vips libturbojpeg)
// ./thumbnails turbo|vips|resized ROUNDS FILE...
#include "../Sources/CVips/shim.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>

enum { side = 320, longest = 4096 };

static int smaller(int a, int b) { return a < b ? a : b; }
static int larger(int a, int b) { return a < b ? b : a; }
static int scaled(int length, int eighths) { return (length * eighths + 7) / 8; }

static size_t turbo(unsigned char *bytes, size_t count) {
  int width, height, sampling, colours, eighths = 1;
  tjhandle decoder = tjInitDecompress(), encoder = tjInitCompress();
  unsigned char *pixels = NULL, *jpeg = NULL;
  unsigned long size = 0;
  if (tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &colours) == 0) {
    while (eighths < 8 && scaled(smaller(width, height), eighths) < side &&
           scaled(larger(width, height), eighths + 1) <= longest) eighths++;
    width = scaled(width, eighths), height = scaled(height, eighths);
    pixels = malloc((size_t)width * height * 3);
    tjDecompress2(decoder, bytes, count, pixels, width, 0, height, TJPF_RGB, 0);
    tjCompress2(encoder, pixels, width, 0, height, TJPF_RGB, &jpeg, &size, TJSAMP_420, 82, 0);
  }
  tjDestroy(decoder), tjDestroy(encoder), tjFree(jpeg), free(pixels);
  return size;
}

// As `Thumbnail.jpeg` does it, or, if `resized`, by `vips_thumbnail` alone.
static size_t vips(unsigned char *bytes, size_t count, int resized) {
  VipsImage *full = cvips_open(bytes, count), *small, *srgb;
  void *jpeg = NULL;
  size_t size = 0;
  if (full == NULL) return 0;
  int shorter = smaller(full->Xsize, full->Ysize), longer = larger(full->Xsize, full->Ysize), shrink = 8;
  while (shrink > 1 && shorter / shrink < side && longer * 2 / shrink <= longest) shrink /= 2;
  small = resized ? cvips_thumbnail(bytes, count, smaller(longest, larger(side, longer * side / shorter)))
                  : cvips_open_jpeg(bytes, count, shrink);
  g_object_unref(full);
  if (small == NULL) return 0;
  srgb = cvips_to_srgb(small);
  cvips_save_jpeg(srgb, &jpeg, &size, 82);
  g_object_unref(small), g_object_unref(srgb), g_free(jpeg);
  return size;
}

static long peakKilobytes(void) {
  char line[256];
  long peak = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %ld", &peak) != 1) {}
  fclose(status);
  return peak;
}

int main(int count, char **words) {
  if (count < 4 || (strcmp(words[1], "turbo") != 0 && cvips_start() != 0)) return 2;
  int rounds = atoi(words[2]), made = 0;
  double bytes = 0;
  clock_t start = clock();
  for (int number = 3 * rounds; number < count * rounds; number++) {
    gchar *picture;
    gsize size;
    if (!g_file_get_contents(words[number / rounds], &picture, &size, NULL)) return 1;
    size_t thumbnail = strcmp(words[1], "turbo") == 0 ? turbo((unsigned char *)picture, size)
                       : vips((unsigned char *)picture, size, strcmp(words[1], "resized") == 0);
    made += thumbnail > 0, bytes += thumbnail;
    g_free(picture);
  }
  double milliseconds = (clock() - start) * 1e3 / CLOCKS_PER_SEC;
  printf("%-7s %3d of %d, %6.1f ms each, of %3.0f KB, peak %.0f MB\n", words[1], made, (count - 3) * rounds,
         milliseconds / (count - 3) / rounds, bytes / 1e3 / made, peakKilobytes() / 1024.0);
}
