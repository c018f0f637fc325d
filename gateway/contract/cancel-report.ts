import { z } from 'zod';
import { DOCS, uuid } from './common.ts';
import { businessCode } from './errors.ts';

/** Result of a `cancel-all`; nothing to cancel is a 409 `NOOP_ERROR` instead. */
export const cancelReport = z
  .strictObject({
    cancelled: z.array(uuid),
    failed: z.array(z.strictObject({ id: uuid, errorCode: businessCode, message: z.string() })),
  })
  .register(DOCS, { id: 'CancelReport' });
