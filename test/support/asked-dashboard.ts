/** A program of the dashboard's user that has to ask about every order above 250 USD. */
import { AskedDesk, TestMandates } from './asked-desk.ts';
import { type DashboardSuite, dashboardSuite, USER } from './dashboard-suite.ts';

export interface AskedDashboard {
  readonly suite: DashboardSuite;
  readonly desk: AskedDesk;
}

/** Call it in `describe`; the parts are there from the first test on. */
export function askedDashboard(): AskedDashboard {
  const mandates = new TestMandates();
  const suite = dashboardSuite({ overrides: { mandates } });
  let desk: AskedDesk | undefined;
  before(async () => {
    desk = await AskedDesk.beside(suite.gateway, mandates, USER, suite.accountId);
  });
  return {
    suite,
    get desk() {
      if (desk === undefined) throw new Error('The suite has not begun');
      return desk;
    },
  };
}
