/** Calls a gateway in a process of its own, whose time goes on by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayClient, gatewayClient } from '../../support/gateway-client.ts';

const PASS_MS = 20;

export const processClient = (url: string): GatewayClient => gatewayClient(url, () => sleep(PASS_MS));
