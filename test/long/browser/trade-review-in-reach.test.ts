/** Trade after several orders, in larger windows than the one of `trade.test.ts`. */
import { itKeepsReviewInReach } from '../../support/review-in-reach.ts';
import { tradeScreen } from '../../support/trade-screen.ts';

describe('trade screen, after several orders', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  itKeepsReviewInReach(desk, [1440, 900]);
  itKeepsReviewInReach(desk, [1920, 1080]);
});
