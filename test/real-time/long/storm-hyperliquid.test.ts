import { storm } from '../support/storm.ts';

storm('hyperliquid');
