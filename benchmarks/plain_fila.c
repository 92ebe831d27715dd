/* The first-cell search of fila as a plain loop in C, to compare the compiled Python with.
 *
 * It reads the very tables that exactcover makes (exactcover/backends/fila/kernel.py says what is in
 * them) and does what the kernel does for a problem with one piece of every kind, one phase, and the
 * cells in the order of their bits. WORDS is the number of 64-bit words of a set of cells.
 */

#include <stdint.h>

#ifndef WORDS
#define WORDS 1
#endif

#define CELL (WORDS + 3) /* masks, multiplier, shift, first row */

typedef struct {
    uint64_t word[WORDS];
} Cells;

typedef struct {
    const uint32_t *row;
    const Cells *image, *end; /* the images of the kind under way that are yet to be tried */
    Cells occupied;
    uint64_t left, rest; /* the kinds that are left; of these the ones yet to be tried */
    uint64_t kind;
} Node;

static int meet(const Cells *a, const Cells *b) {
    uint64_t both = 0;
    for (int i = 0; i < WORDS; i++)
        both |= a->word[i] & b->word[i];
    return both != 0;
}

/* Search the whole tree; counts[0..2] are solutions, images placed, and images tried. */
void search(const Cells *branch, const uint64_t *cells, const uint32_t *rows, uint64_t kinds,
            const Cells *masks, Node *nodes, uint64_t left, uint64_t *counts) {
    uint64_t found = 0, fits = 0, tries = 0;
    Node *node = nodes;
    Cells occupied = {{0}};
    uint64_t row_size = 1; /* a power of two */
    while (row_size < kinds + 3)
        row_size *= 2;

    for (;;) {
        /* come to a node: the first open cell, and the lists for the state of the cells near it */
        uint64_t cell = 0, state = 0;
        int open = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            uint64_t some = branch->word[i] & ~occupied.word[i];
            if (some) {
                cell = 64 * i + __builtin_ctzll(some);
                open = 1;
            }
        }
        if (open) {
            const uint64_t *here = cells + cell * CELL;
            for (int i = 0; i < WORDS; i++)
                state |= occupied.word[i] & here[i];
            const uint32_t *row =
                rows + (here[WORDS + 2] + (state * here[WORDS] >> here[WORDS + 1])) * row_size;
            uint64_t rest = left & (row[0] | (uint64_t)row[1] << 32);
            if (rest) {
                node++;
                node->row = row;
                node->occupied = occupied;
                node->left = left;
                node->rest = rest;
                node->image = node->end = masks;
            }
        } else {
            found++;
        }
        /* the next image that fits, going back where there is none */
        for (;;) {
            while (node->image == node->end) {
                while (!node->rest) {
                    if (--node == nodes) {
                        counts[0] += found;
                        counts[1] += fits;
                        counts[2] += tries;
                        return;
                    }
                    if (node->image != node->end)
                        goto next;
                }
                node->kind = __builtin_ctzll(node->rest);
                node->rest &= node->rest - 1;
                const uint32_t *list = node->row + 2 + node->kind;
                node->image = masks + list[0];
                node->end = masks + list[1];
                tries += list[1] - list[0];
            }
        next:;
            const Cells *image = node->image++;
            if (!meet(&node->occupied, image)) {
                for (int i = 0; i < WORDS; i++)
                    occupied.word[i] = node->occupied.word[i] | image->word[i];
                left = node->left & ~((uint64_t)1 << node->kind);
                fits++;
                break;
            }
        }
    }
}
