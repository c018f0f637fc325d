import { removeCommand, WEBHOOKS } from '../destinations.ts';

export const command = removeCommand(WEBHOOKS);
