/* Orders. */

#include "order.h"

#define LIMIT 10

typedef struct order {
	int count;
	const char *name;
} order_t;

static int check(const order_t *order);

/** Says it. */
const char *
order_name(const order_t *order)
{
	return order->name;
}

#ifdef WITH_CHECK
static int check(const order_t *order)
{
	return order->count < LIMIT;
}
#else
static int check(const order_t *order)
{
	return 1;
}
#endif
