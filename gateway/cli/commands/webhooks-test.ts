import { testCommand, WEBHOOKS } from '../destinations.ts';

export const command = testCommand(WEBHOOKS);
