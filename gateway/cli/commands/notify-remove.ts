import { CHANNELS, removeCommand } from '../destinations.ts';

export const command = removeCommand(CHANNELS);
