/** Every tool, in the order in which they are listed. */
import type { Tool } from '../tool.ts';
import { analysePair } from './analyse-pair.ts';
import { cancel } from './cancel.ts';
import { changeAlert } from './change-alert.ts';
import { findMarkets } from './find-markets.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getStatus } from './get-status.ts';
import { listActivity } from './list-activity.ts';
import { listAlerts } from './list-alerts.ts';
import { listPositions } from './list-positions.ts';
import { pauseMe } from './pause-me.ts';
import { placeOrder } from './place-order.ts';
import { previewBasket } from './preview-basket.ts';
import { previewChange } from './preview-change.ts';
import { setAlert } from './set-alert.ts';
import { waitFor } from './wait-for.ts';
import { whoami } from './whoami.ts';

export function allTools(): readonly Tool[] {
  return [
    whoami,
    findMarkets,
    analysePair,
    getPortfolio,
    listPositions,
    listActivity,
    listAlerts,
    getStatus,
    waitFor,
    previewBasket,
    previewChange,
    placeOrder,
    setAlert,
    changeAlert,
    cancel,
    pauseMe,
  ];
}
