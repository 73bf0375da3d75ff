// The functions of libvips that end in lists of options, which Swift cannot pass.
#include <vips/vips.h>

static inline void cvips_ignore(const char *domain, GLogLevelFlags level, const char *message, void *data) {}

// Zero if libvips is there. From then on it opens four kinds of pictures only: its other readers, such as those of
// ImageMagick, are many and were not made for files of strangers.
static inline int cvips_start(void) {
  static const char *const readers[] = {
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadHeif"};
  // It warns of damaged pictures, on the program's standard error.
  g_log_set_handler("VIPS", G_LOG_LEVEL_MASK | G_LOG_FLAG_RECURSION, cvips_ignore, NULL);
  if (vips_init("moments") != 0) return -1;
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (int i = 0; i < 4; i++) vips_operation_block_set(readers[i], FALSE);
  // Several pictures are read at the same time, so each has one thread.
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  return 0;
}

// The bytes have to stay as long as the picture does.
static inline VipsImage *cvips_open(const void *bytes, size_t count) {
  return vips_image_new_from_buffer(bytes, count, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

// `shrink` is 1, 2, 4 or 8, and costs less the larger it is.
static inline VipsImage *cvips_open_jpeg(void *bytes, size_t count, int shrink) {
  VipsImage *image = NULL;
  vips_jpegload_buffer(bytes, count, &image, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
  return image;
}

// A smaller picture, upright, whose longer side has at most `side` pixels.
static inline VipsImage *cvips_thumbnail(void *bytes, size_t count, int side) {
  VipsImage *image = NULL;
  vips_thumbnail_buffer(bytes, count, &image, side, "height", side, "size", VIPS_SIZE_DOWN, NULL);
  return image;
}

static inline VipsImage *cvips_upright(VipsImage *image) {
  VipsImage *upright = NULL;
  vips_autorot(image, &upright, NULL);
  return upright;
}

// By the profile in the picture.
static inline VipsImage *cvips_profile_to_srgb(VipsImage *image) {
  VipsImage *srgb = NULL;
  vips_icc_transform(image, &srgb, "srgb", "embedded", TRUE, NULL);
  return srgb;
}

// Eight bits a channel, without a profile.
static inline VipsImage *cvips_to_srgb(VipsImage *image) {
  VipsImage *srgb = NULL;
  vips_colourspace(image, &srgb, VIPS_INTERPRETATION_sRGB, NULL);
  return srgb;
}

// In front of white.
static inline VipsImage *cvips_flatten(VipsImage *image) {
  VipsImage *flat = NULL;
  VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
  vips_flatten(image, &flat, "background", white, NULL);
  vips_area_unref(VIPS_AREA(white));
  return flat;
}

// Red, green and blue, a byte each. They have to stay as long as the picture does.
static inline VipsImage *cvips_pixels(const void *bytes, size_t count, int width, int height) {
  VipsImage *plain = vips_image_new_from_memory(bytes, count, width, height, 3, VIPS_FORMAT_UCHAR);
  VipsImage *image = NULL;
  if (plain == NULL) return NULL;
  vips_copy(plain, &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
  g_object_unref(plain);
  return image;
}

// The caller frees the bytes by `g_free`. Nothing beside the pixels is written.
static inline int cvips_save_jpeg(VipsImage *image, void **bytes, size_t *count, int quality) {
  return vips_jpegsave_buffer(image, bytes, count, "Q", quality, "strip", TRUE, NULL);
}

// GObject's own is a macro.
static inline void cvips_close(VipsImage *image) { g_object_unref(image); }
