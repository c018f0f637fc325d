/** Trade after twenty orders, at every size. */
import { itKeepsReviewInReach } from '../../support/review-in-reach.ts';
import { tradeScreen } from '../../support/trade-screen.ts';

const TWENTY = { failed: 6, filled: 14 };

describe('trade screen, after twenty orders', function () {
  this.timeout(180_000);
  const desk = tradeScreen();
  itKeepsReviewInReach(desk, [390, 844], TWENTY);
  itKeepsReviewInReach(desk, [1280, 800], TWENTY);
  itKeepsReviewInReach(desk, [1440, 900], TWENTY);
  itKeepsReviewInReach(desk, [1920, 1080], TWENTY);
});
