/* Orders. */

#include "order.h"

typedef struct order {
	int count;
	const char *name;
} order_t;

static int check(const order_t *order);

/** Says it. */
const char *order_name(const order_t *order)
{
	if (!order)
		return "";
	return order->name;
}

int order_count(const order_t *order)
{
	return order->count;
}

#ifdef WITH_CHECK
static int check(const order_t *order)
{
	return order->count < LIMIT;
}
#else
static int check(const order_t *order)
{
	return order != 0;
}
#endif
