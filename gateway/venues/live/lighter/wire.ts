/** What Lighter answers, as far as it is used. Unknown fields are ignored; numbers come as the text that was sent. */
import { z } from 'zod';
import { integerField } from '../kit/wire.ts';

export const nextNonce = z.object({ nonce: integerField });
