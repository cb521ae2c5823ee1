// Random text for CLD2 under the address and undefined-behaviour sanitizers of a C++ compiler, which
// the fuzzers of Rust code leave out. Text is valid UTF-8 on the heap, followed by zero bytes, as
// `rust/langid/src/cld2.rs` passes it. Prints the number of calls, bytes, chunks, and chunks outside
// of the text.
//
//   D=$(ls -d ~/.cargo/registry/src/*/cld2-sys-1.0.2)/cld2
//   g++ -std=c++03 -w -O1 -g -fsanitize=address,undefined -I$D/public -I$D/internal cld2.cc \
//     $(ls $D/internal/*.cc | grep -vE 'dynamic|0527|chrome|dummy|0720|unittest|bi_4|0122_2|1024') \
//     -o cld2
//   ./cld2 SECONDS SEED
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "compact_lang_det.h"
#include "encodings.h"

typedef unsigned long long Number;

static Number state;

static unsigned below(unsigned end) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<unsigned>((state >> 20) % end);
}

static void put(std::string& text, unsigned c) {
  if (c == 0 || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) c = ' ';
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | c >> 6);
    text += static_cast<char>(0x80 | (c & 63));
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | c >> 12);
    text += static_cast<char>(0x80 | ((c >> 6) & 63));
    text += static_cast<char>(0x80 | (c & 63));
  } else {
    text += static_cast<char>(0xF0 | c >> 18);
    text += static_cast<char>(0x80 | ((c >> 12) & 63));
    text += static_cast<char>(0x80 | ((c >> 6) & 63));
    text += static_cast<char>(0x80 | (c & 63));
  }
}

// Beginnings of blocks of characters: scripts, marks, signs, planes beyond the first.
static const unsigned BLOCKS[] = {
    0x20,   0x41,   0x61,   0xC0,   0x100,  0x180,   0x250,   0x300,   0x370,   0x400,   0x530,
    0x590,  0x600,  0x6F0,  0x700,  0x780,  0x900,   0x980,   0xA00,   0xB00,   0xC00,   0xD00,
    0xE00,  0xE80,  0xF00,  0x1000, 0x10A0, 0x1100,  0x1200,  0x13A0,  0x1400,  0x1680,  0x1780,
    0x1800, 0x1E00, 0x1F00, 0x2000, 0x2190, 0x3000,  0x3040,  0x30A0,  0x3100,  0x3400,  0x4E00,
    0x9000, 0xA000, 0xAC00, 0xD700, 0xE000, 0xF900,  0xFB00,  0xFE00,  0xFF00,  0x10000, 0x10300,
    0x1D400, 0x1F600, 0x20000, 0xE0000, 0x10FFF0};

static const char* const WORDS[] = {
    "the ", "river ", "rose ", "die ", "und ", "la ", "de ", "que ", "и ", "на ", "река ", "میں ",
    "ہوا ", "کی ", "और ", "में ", "の", "は", "我们", "的", "한국 ", "แม่น้ำ", "ཀ་", "&amp;", "<p>",
    "http://a.b/c ", "x@y.z ", "don’t ", "1234 ", "\xE2\x80\x8C", "\xCC\x81", "\n",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};

static unsigned any_character() {
  switch (below(8)) {
    case 0: return below(0x110000);
    case 1: return below(0x80);
    default: return BLOCKS[below(sizeof BLOCKS / sizeof *BLOCKS)] + below(64);
  }
}

static std::string any_text(unsigned length) {
  std::string text;
  const unsigned style = below(6), base = any_character();
  while (text.size() < length) {
    switch (style) {
      case 0: put(text, any_character()); break;
      case 1: {
        const unsigned c = any_character();
        for (unsigned times = 1 + below(300); times--;) put(text, c);
        break;
      }
      case 2: text += WORDS[below(sizeof WORDS / sizeof *WORDS)]; break;
      case 3: {
        put(text, base + below(48));
        if (!below(6)) text += ' ';
        break;
      }
      case 4: {
        text += WORDS[below(sizeof WORDS / sizeof *WORDS)];
        if (!below(4)) put(text, any_character());
        break;
      }
      default: text += static_cast<char>(1 + below(0x7F));
    }
  }
  return text;
}

int main(int argc, char** argv) {
  static const unsigned LENGTHS[] = {4, 16, 64, 300, 2000, 20000};
  const size_t padding = 32;
  if (argc != 3) return 2;
  state = 88172645463325252ULL ^ strtoull(argv[2], 0, 10) * 0x9E3779B97F4A7C15ULL;
  Number calls = 0, bytes = 0, chunks = 0, outside = 0;
  for (const time_t end = time(0) + atoi(argv[1]); time(0) < end; calls++) {
    const unsigned kind = below(40);
    const unsigned longest = kind < 36 ? LENGTHS[kind % 6] : kind < 39 ? 120000 : 1000000;
    const std::string text = any_text(1 + below(longest));
    char* buffer = static_cast<char*>(calloc(text.size() + padding, 1));
    memcpy(buffer, text.data(), text.size());
    CLD2::CLDHints hints = {NULL, NULL, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
    CLD2::ResultChunkVector found;
    CLD2::Language languages[3];
    int percents[3], text_bytes;
    double scores[3];
    bool is_reliable;
    CLD2::ExtDetectLanguageSummary(buffer, static_cast<int>(text.size()), true, &hints, 0,
                                   languages, percents, scores, &found, &text_bytes, &is_reliable);
    for (size_t at = 0; at < found.size(); at++) {
      const bool is_in = found[at].offset >= 0 &&
                         static_cast<size_t>(found[at].offset) + found[at].bytes <= text.size();
      outside += !is_in;
    }
    chunks += found.size();
    bytes += text.size();
    free(buffer);
  }
  printf("calls %llu bytes %llu chunks %llu outside %llu\n", calls, bytes, chunks, outside);
  return 0;
}
