# Written by `npm run python:types` from the gateway's contract. Not to be edited.
"""Every route by its name: what the client has to know of it, and its types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

from . import schemas as s
from ._lists import AsyncPages, AsyncRows, Pages, Rows
from ._route_facts import RouteFacts

ROUTES: Mapping[str, RouteFacts] = {
    "PUT /trade-accounts/{id}/arming": RouteFacts(),
    "DELETE /trade-accounts/{id}/arming": RouteFacts(),
    "GET /trade-accounts/{id}/arming": RouteFacts(),
    "GET /positions/risk": RouteFacts(takes_account=True, needs_account=True),
    "PUT /agents/limits": RouteFacts(),
    "GET /agents/limits": RouteFacts(),
    "PUT /agents/{id}/mandate": RouteFacts(),
    "GET /agents": RouteFacts(),
    "GET /agents/{id}/refused": RouteFacts(rows="refused", columns=("at", "lastAt", "count", "route", "tradeAccountId", "legs", "message", "limits", "says", "preview",), times=("at", "lastAt",)),
    "POST /agents/pause-all": RouteFacts(rows="suspended"),
    "GET /agents/me": RouteFacts(),
    "POST /agents/{id}/resume": RouteFacts(),
    "POST /agents/{id}/suspend": RouteFacts(),
    "POST /alerts/{id}/cancel": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "PATCH /alerts/{id}": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /alerts/{id}": RouteFacts(takes_account=True, needs_account=True),
    "GET /alerts": RouteFacts(takes_account=True, needs_account=True, rows="alerts", columns=("id", "connector", "tradeAccountId", "legs", "condition", "window", "priceSource", "onMissed", "authority", "expiresAt", "status", "lastValue", "lastCheckedAt", "triggeredAt", "createdAt", "updatedAt",), money=("lastValue",), times=("createdAt", "expiresAt", "lastCheckedAt", "triggeredAt", "updatedAt",)),
    "POST /alerts": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /api-keys": RouteFacts(),
    "GET /api-keys": RouteFacts(rows="apiKeys", columns=("id", "label", "scope", "keyPrefix", "expiresAt", "tradeAccountIds", "lastUsedAt", "createdAt",), times=("createdAt", "expiresAt", "lastUsedAt",)),
    "DELETE /api-keys/{id}": RouteFacts(),
    "POST /approvals/{id}/approve": RouteFacts(),
    "POST /approvals/{id}/deny": RouteFacts(),
    "GET /approvals": RouteFacts(rows="approvals", columns=("id", "status", "kind", "route", "plan", "createdAt", "expiresAt", "decidedAt", "withdrawnBecause", "madeId", "asker", "account", "terms", "protection", "reasons", "aboveUsd", "says", "planHash", "driftBps", "needsPassword", "updatedAt", "decidedBy",), money=("aboveUsd",), times=("createdAt", "decidedAt", "expiresAt", "updatedAt",)),
    "GET /approvals/{id}": RouteFacts(),
    "GET /approvals/mine/{id}": RouteFacts(),
    "DELETE /approvals/mine/{id}": RouteFacts(),
    "GET /audit-log": RouteFacts(rows="auditEntries", columns=("id", "action", "subjectId", "method", "client", "ip", "says", "at",), times=("at",)),
    "DELETE /auth/sessions/{id}": RouteFacts(),
    "GET /auth/sessions": RouteFacts(rows="sessions", columns=("id", "userAgent", "ip", "current", "createdAt", "lastUsedAt", "expiresAt",), times=("createdAt", "expiresAt", "lastUsedAt",)),
    "POST /auth/login": RouteFacts(is_public=True),
    "POST /auth/logout": RouteFacts(),
    "GET /auth/me": RouteFacts(),
    "POST /auth/nonce": RouteFacts(is_public=True),
    "POST /auth/password": RouteFacts(),
    "POST /auth/session/refresh": RouteFacts(is_public=True),
    "POST /auth/register": RouteFacts(is_public=True),
    "POST /auth/ws-ticket": RouteFacts(),
    "DELETE /positions/{id}/auto-rebalance": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /positions/{id}/auto-rebalance": RouteFacts(takes_account=True, needs_account=True),
    "PUT /positions/{id}/auto-rebalance": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/auto-rebalance/pause": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/auto-rebalance/resume": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /analytics/weights": RouteFacts(is_public=True),
    "GET /analytics/pair/summary": RouteFacts(is_public=True),
    "GET /analytics/funding": RouteFacts(is_public=True),
    "POST /markets/baskets/positions": RouteFacts(is_public=True, rows="counts", columns=("basketKey", "opened", "traders",)),
    "GET /markets/baskets": RouteFacts(is_public=True),
    "PUT /positions/{id}/brackets": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /analytics/pair": RouteFacts(is_public=True),
    "GET /candles/basket": RouteFacts(is_public=True, rows="candles", columns=("start", "open", "high", "low", "close", "isComplete",), money=("close", "high", "low", "open",), times=("start",)),
    "GET /candles": RouteFacts(is_public=True, rows="candles", columns=("start", "open", "high", "low", "close", "isComplete",), money=("close", "high", "low", "open",), times=("start",)),
    "GET /app/start": RouteFacts(is_public=True),
    "POST /auth/link": RouteFacts(is_public=True),
    "POST /misc/exchange/change-account-tier": RouteFacts(takes_account=True),
    "POST /misc/exchange/change-pub-key": RouteFacts(takes_account=True),
    "POST /misc/exchange/create-api-key": RouteFacts(takes_account=True),
    "POST /misc/exchange/create-auth-token": RouteFacts(takes_account=True),
    "POST /misc/exchange/uda": RouteFacts(takes_account=True),
    "GET /misc/exchange/uda/{walletAddress}": RouteFacts(takes_account=True),
    "POST /misc/exchange/prepare-approve-integrator": RouteFacts(takes_account=True),
    "POST /misc/exchange/prepare-fast-withdraw": RouteFacts(takes_account=True),
    "POST /misc/exchange/submit-approve-integrator": RouteFacts(takes_account=True),
    "POST /misc/exchange/submit-fast-withdraw": RouteFacts(takes_account=True),
    "GET /fee": RouteFacts(),
    "GET /positions/closed": RouteFacts(takes_account=True, needs_account=True, rows="positions", columns=("id", "connector", "tradeAccountId", "basketKey", "origin", "legs", "realizedPnl", "fees", "funding", "netPnl", "returnPct", "openedAt", "closedAt", "durationSeconds", "steps",), money=("fees", "funding", "netPnl", "realizedPnl", "returnPct",), times=("closedAt", "openedAt",)),
    "GET /funding/payments": RouteFacts(takes_account=True, needs_account=True, rows="payments", columns=("id", "connector", "tradeAccountId", "timestamp", "symbol", "ticker", "positionId", "paidOn", "legs", "rate", "side", "notional", "amount",), money=("amount", "notional", "rate",), times=("timestamp",)),
    "GET /fills/{positionId}": RouteFacts(takes_account=True, needs_account=True, rows="fills", columns=("id", "executionId", "orderId", "positionId", "connector", "symbol", "side", "price", "quantity", "notional", "fee", "feeAsset", "realizedPnl", "liquidity", "venueOrderId", "tradeId", "cloid", "isLiquidation", "isProvisional", "cause", "timestamp",), money=("fee", "notional", "price", "quantity", "realizedPnl",), times=("timestamp",)),
    "PATCH /integrations/{id}": RouteFacts(),
    "POST /integrations": RouteFacts(),
    "GET /integrations": RouteFacts(rows="integrations", columns=("id", "clientId", "name", "status", "createdAt", "updatedAt",), times=("createdAt", "updatedAt",)),
    "POST /ladders/{ladderId}/cancel": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /ladders": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /ladders": RouteFacts(takes_account=True, needs_account=True, rows="ladders", columns=("id", "connector", "tradeAccountId", "basketKey", "legs", "totalUsd", "metric", "symbol", "direction", "start", "end", "distribution", "sizing", "expiresAt", "slippage", "onLegFailure", "clientId", "authority", "status", "levels", "filledLevels", "filled", "rungs", "createdAt", "updatedAt",), money=("end", "slippage", "start", "totalUsd",), times=("createdAt", "expiresAt", "updatedAt",)),
    "GET /ladders/{ladderId}": RouteFacts(takes_account=True, needs_account=True),
    "GET /feeds": RouteFacts(is_public=True),
    "GET /instruments/symbol-to-id-map": RouteFacts(is_public=True),
    "GET /connectors": RouteFacts(is_public=True),
    "GET /funding": RouteFacts(is_public=True, rows="funding", columns=("id", "symbol", "rate", "intervalHours", "nextFundingTime",), money=("rate",), times=("nextFundingTime",)),
    "GET /instruments": RouteFacts(is_public=True, rows="instruments", columns=("id", "symbol", "connector", "venueSymbol", "multiplier", "type", "tickSize", "stepSize", "minQuantity", "maxQuantity", "minNotional", "priceBand", "maxLeverage", "marginModes", "fundingIntervalHours", "tradeability",), money=("maxQuantity", "minNotional", "minQuantity", "multiplier", "priceBand", "stepSize", "tickSize",)),
    "GET /instruments/lite": RouteFacts(is_public=True, rows="instruments", columns=("id", "symbol", "stepSize", "tickSize",), money=("stepSize", "tickSize",)),
    "GET /markets": RouteFacts(is_public=True),
    "GET /prices": RouteFacts(is_public=True, rows="prices", columns=("id", "symbol", "mark", "index", "mid", "bid", "ask", "last", "price24hAgo", "updatedAt",), money=("ask", "bid", "index", "last", "mark", "mid", "price24hAgo",), times=("updatedAt",)),
    "PATCH /notification-channels/{id}": RouteFacts(),
    "DELETE /notification-channels/{id}": RouteFacts(),
    "POST /notification-channels": RouteFacts(),
    "GET /notification-channels": RouteFacts(rows="notificationChannels", columns=("id", "name", "tradeAccountIds", "enabled", "waiting", "skipped", "lastAttempt", "createdAt", "updatedAt", "service", "address", "kinds",), times=("createdAt", "updatedAt",)),
    "GET /notification-channels/{id}/deliveries": RouteFacts(rows="deliveries", columns=("id", "event", "status", "attempts", "nextAttemptAt", "responseStatus", "response", "error", "createdAt", "updatedAt", "finishedAt",), times=("createdAt", "finishedAt", "nextAttemptAt", "updatedAt",)),
    "POST /notification-channels/{id}/test": RouteFacts(),
    "GET /notifications": RouteFacts(rows="notifications", columns=("id", "category", "parameters", "isRead", "createdAt", "updatedAt",), times=("createdAt", "updatedAt",)),
    "POST /notifications/read": RouteFacts(),
    "POST /notifications/unread": RouteFacts(),
    "POST /interaction/{uid}/abort": RouteFacts(),
    "POST /interaction/{uid}/confirm": RouteFacts(),
    "GET /oauth2/grants/{id}/waiting": RouteFacts(),
    "GET /oauth2/grants": RouteFacts(rows="grants", columns=("id", "name", "scopes", "connectedAt",), times=("connectedAt",)),
    "POST /interaction/{uid}/login": RouteFacts(is_public=True),
    "GET /interaction/{uid}": RouteFacts(is_public=True),
    "GET /interaction/{uid}/terms": RouteFacts(),
    "POST /interaction/{uid}/terms": RouteFacts(),
    "DELETE /oauth2/grants/{id}": RouteFacts(),
    "GET /books": RouteFacts(),
    "POST /orders/cancel-all": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /orders/{id}/cancel": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /orders/{id}": RouteFacts(takes_account=True, needs_account=True),
    "GET /orders": RouteFacts(takes_account=True, needs_account=True, rows="orders", columns=("id", "symbol", "side", "mode", "amount", "status", "quantity", "filledQuantity", "averagePrice", "limitPrice", "reduceOnly", "attempt", "clientOrderId", "venueOrderId", "error", "errorCode", "createdAt", "updatedAt", "executionId", "connector", "tradeAccountId", "basketKey", "origin", "intent", "positionId", "legs", "bracketType", "notional", "filledNotional",), money=("amount", "averagePrice", "filledNotional", "filledQuantity", "limitPrice", "notional", "quantity",), times=("createdAt", "updatedAt",)),
    "DELETE /trade-accounts/{id}/paper/faults/{faultId}": RouteFacts(),
    "DELETE /trade-accounts/{id}/paper/faults": RouteFacts(),
    "GET /trade-accounts/{id}/paper/faults": RouteFacts(rows="paperFaults", columns=("id", "kind", "symbol", "fraction", "executed", "silentSeconds", "times", "createdAt", "endsAt",), times=("createdAt", "endsAt",)),
    "POST /trade-accounts/{id}/paper/faults": RouteFacts(),
    "GET /portfolio": RouteFacts(takes_account=True, needs_account=True),
    "GET /portfolio/analytics": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/margin": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/close-all": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/reverse": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/adjust/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/brackets/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/close/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/close-all/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/reverse/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/adjust": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/close": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /positions/{id}": RouteFacts(takes_account=True, needs_account=True),
    "GET /positions": RouteFacts(takes_account=True, needs_account=True, rows="positions", columns=("id", "connector", "tradeAccountId", "basketKey", "status", "origin", "entryRatio", "markRatio", "entryPrice", "markPrice", "grossNotional", "netNotional", "marginUsed", "unrealizedPnl", "unrealizedPnlPct", "realizedPnl", "feesPaid", "fundingPaid", "netPnl", "takeProfit", "stopLoss", "protection", "autoRebalance", "legs", "createdAt", "updatedAt", "closedAt",), money=("entryPrice", "entryRatio", "feesPaid", "fundingPaid", "grossNotional", "marginUsed", "markPrice", "markRatio", "netNotional", "netPnl", "realizedPnl", "unrealizedPnl", "unrealizedPnlPct",), times=("closedAt", "createdAt", "updatedAt",)),
    "GET /positions/lite": RouteFacts(takes_account=True, needs_account=True, rows="positions", columns=("id", "connector", "basketKey", "legs",)),
    "POST /trade/open": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /positions/{id}/rebalance/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /positions/{id}/rebalance": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /safety": RouteFacts(),
    "POST /safety/panic": RouteFacts(takes_key=True),
    "POST /safety/pause": RouteFacts(takes_key=True),
    "GET /safety/panic/plan": RouteFacts(rows="accounts", columns=("tradeAccountId", "positions", "grossNotional", "unrealizedPnl", "tradedNotional", "totalFee", "expectedCost", "expectedSlippage", "shortBooks",), money=("expectedCost", "expectedSlippage", "grossNotional", "totalFee", "tradedNotional", "unrealizedPnl",)),
    "POST /safety/resume": RouteFacts(takes_key=True),
    "PATCH /saved-baskets/{id}": RouteFacts(takes_account=True, needs_account=True),
    "DELETE /saved-baskets/{id}": RouteFacts(takes_account=True, needs_account=True),
    "POST /saved-baskets": RouteFacts(takes_account=True, needs_account=True),
    "GET /saved-baskets": RouteFacts(takes_account=True, needs_account=True, rows="savedBaskets", columns=("id", "name", "legs", "createdAt", "updatedAt",), times=("createdAt", "updatedAt",)),
    "POST /schedules/{id}/cancel": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /schedules": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /schedules": RouteFacts(takes_account=True, needs_account=True, rows="schedules", columns=("id", "connector", "tradeAccountId", "basketKey", "kind", "positionId", "legs", "fraction", "durationSeconds", "intervalSeconds", "randomize", "slippage", "onLegFailure", "limitRatio", "missedSlicePolicy", "takeProfit", "stopLoss", "brackets", "protection", "afterBracket", "reduceOnly", "clientId", "authority", "status", "pauseReason", "pausedBy", "totalUsd", "filledUsd", "remainingUsd", "filled", "sliceCount", "slicesCompleted", "nextSliceAt", "averageRatio", "error", "createdAt", "updatedAt",), money=("averageRatio", "filledUsd", "fraction", "limitRatio", "remainingUsd", "slippage", "totalUsd",), times=("createdAt", "nextSliceAt", "updatedAt",)),
    "GET /schedules/{id}": RouteFacts(takes_account=True, needs_account=True),
    "POST /schedules/{id}/pause": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /schedules/{id}/resume": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /analytics/screener": RouteFacts(is_public=True),
    "GET /sync/differences": RouteFacts(rows="accounts", columns=("tradeAccountId", "checkedAt", "differences",), times=("checkedAt",)),
    "GET /fills/provisionals-lite": RouteFacts(takes_account=True, needs_account=True, rows="fills", columns=("id", "symbol", "side", "price", "quantity", "cloid", "timestamp",), money=("price", "quantity",), times=("timestamp",)),
    "GET /sync/reviews": RouteFacts(takes_account=True, needs_account=True, rows="reviews", columns=("id", "code", "connector", "tradeId", "recordedAs", "executionId", "symbol", "side", "price", "quantity", "timestamp", "known", "createdAt",), money=("price", "quantity",), times=("createdAt", "timestamp",)),
    "GET /positions/unassigned": RouteFacts(takes_account=True, needs_account=True, rows="items", columns=("id", "connector", "symbol", "ticker", "source", "quantity", "price", "markPrice", "unrealizedPnl", "timestamp",), money=("markPrice", "price", "quantity", "unrealizedPnl",), times=("timestamp",)),
    "POST /trade-accounts/{id}/paper/outside-order": RouteFacts(takes_key=True),
    "POST /sync/positions/plan": RouteFacts(takes_account=True, needs_account=True),
    "POST /sync/reviews/resolve": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /sync": RouteFacts(takes_account=True, needs_account=True),
    "POST /sync/positions": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /health": RouteFacts(is_public=True),
    "GET /openapi.json": RouteFacts(is_public=True),
    "GET /ready": RouteFacts(is_public=True),
    "GET /version": RouteFacts(is_public=True),
    "PATCH /trade-accounts/{id}": RouteFacts(),
    "GET /trade-accounts/{id}": RouteFacts(),
    "DELETE /trade-accounts/{id}": RouteFacts(),
    "POST /trade-accounts": RouteFacts(),
    "GET /trade-accounts": RouteFacts(rows="tradeAccounts", columns=("id", "alias", "connector", "mode", "network", "exchangeIdentifier", "status", "checks", "metadata", "createdAt", "updatedAt",), times=("createdAt", "updatedAt",)),
    "POST /trade-accounts/{id}/credentials": RouteFacts(),
    "DELETE /trade-accounts/{id}/credentials": RouteFacts(),
    "PUT /trade-accounts/{id}/credentials": RouteFacts(),
    "POST /trade-accounts/{id}/paper/reset": RouteFacts(takes_key=True),
    "GET /executions/{id}": RouteFacts(takes_account=True, needs_account=True),
    "GET /executions/by-key": RouteFacts(takes_account=True, needs_account=True),
    "GET /executions": RouteFacts(takes_account=True, needs_account=True, rows="executions", columns=("id", "connector", "tradeAccountId", "basketKey", "type", "origin", "intent", "status", "error", "errorCode", "onLegFailure", "slippage", "orders", "positionId", "clientId", "parentId", "authority", "createdAt", "activeAt", "finishedAt", "updatedAt",), money=("slippage",), times=("activeAt", "createdAt", "finishedAt", "updatedAt",)),
    "GET /fills": RouteFacts(takes_account=True, needs_account=True, rows="fills", columns=("id", "executionId", "orderId", "positionId", "connector", "symbol", "side", "price", "quantity", "notional", "fee", "feeAsset", "realizedPnl", "liquidity", "venueOrderId", "tradeId", "cloid", "isLiquidation", "isProvisional", "cause", "timestamp",), money=("fee", "notional", "price", "quantity", "realizedPnl",), times=("timestamp",)),
    "GET /leverage": RouteFacts(takes_account=True, needs_account=True, rows="leverage", columns=("symbol", "leverage", "marginMode", "updatedAt",), times=("updatedAt",)),
    "PUT /leverage": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /triggers/cancel-all": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /triggers/{id}/cancel": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "PATCH /triggers/{id}": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /triggers/{id}": RouteFacts(takes_account=True, needs_account=True),
    "GET /triggers": RouteFacts(takes_account=True, needs_account=True, rows="triggers", columns=("id", "connector", "tradeAccountId", "basketKey", "kind", "bracketType", "positionId", "ladderId", "rungIndex", "legs", "totalUsd", "fraction", "condition", "bracket", "window", "priceSource", "slippage", "onLegFailure", "takeProfit", "stopLoss", "brackets", "protection", "onMissed", "clientId", "authority", "expiresAt", "status", "pauseReason", "pausedBy", "lastValue", "lastCheckedAt", "triggeredAt", "executionId", "filled", "error", "createdAt", "updatedAt",), money=("fraction", "lastValue", "slippage", "totalUsd",), times=("createdAt", "expiresAt", "lastCheckedAt", "triggeredAt", "updatedAt",)),
    "POST /triggers/open": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /triggers/{id}/pause": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "POST /triggers/{id}/resume": RouteFacts(takes_account=True, needs_account=True, takes_key=True),
    "GET /connectors/{id}/check": RouteFacts(),
    "POST /connectors/{id}/check": RouteFacts(),
    "DELETE /connectors/{id}/wallet-approvals/{approvalId}": RouteFacts(),
    "POST /connectors/{id}/wallet-approvals/{approvalId}": RouteFacts(),
    "POST /connectors/{id}/wallet-approvals": RouteFacts(),
    "PATCH /webhooks/{id}": RouteFacts(),
    "GET /webhooks/{id}": RouteFacts(),
    "DELETE /webhooks/{id}": RouteFacts(),
    "POST /webhooks": RouteFacts(),
    "GET /webhooks": RouteFacts(rows="webhooks", columns=("id", "name", "tradeAccountIds", "enabled", "waiting", "skipped", "lastAttempt", "createdAt", "updatedAt", "url", "events",), times=("createdAt", "updatedAt",)),
    "GET /webhooks/{id}/deliveries": RouteFacts(rows="deliveries", columns=("id", "event", "status", "attempts", "nextAttemptAt", "responseStatus", "response", "error", "createdAt", "updatedAt", "finishedAt",), times=("createdAt", "finishedAt", "nextAttemptAt", "updatedAt",)),
    "POST /webhooks/{id}/deliveries/{deliveryId}/redeliver": RouteFacts(),
    "POST /webhooks/{id}/rotate-secret": RouteFacts(),
    "POST /webhooks/{id}/test": RouteFacts(),
}


class Routes:
    @overload
    def call(self, route: Literal["PUT /trade-accounts/{id}/arming"], *, params: s.PutTradeAccountsByIdArmingParams, body: s.Arm, timeout: float | None = None) -> s.Arming:
        """Arm a live account, or change its limits."""

    @overload
    def call(self, route: Literal["DELETE /trade-accounts/{id}/arming"], *, params: s.DeleteTradeAccountsByIdArmingParams, timeout: float | None = None) -> s.Arming:
        """Disarm a live account: nothing is opened on it any more."""

    @overload
    def call(self, route: Literal["GET /trade-accounts/{id}/arming"], *, params: s.GetTradeAccountsByIdArmingParams, timeout: float | None = None) -> s.Arming:
        """Whether a live account is armed, and its limits."""

    @overload
    def call(self, route: Literal["GET /positions/risk"], *, account: str | None = None, timeout: float | None = None) -> s.AccountRisk:
        """Exposure, margin ratio and the distance to liquidation."""

    @overload
    def call(self, route: Literal["PUT /agents/limits"], *, body: s.ChangeHouseLimits, timeout: float | None = None) -> s.HouseLimitsKept:
        """Change the limits over all agents together."""

    @overload
    def call(self, route: Literal["GET /agents/limits"], *, timeout: float | None = None) -> s.HouseLimitsKept:
        """Limits over all agents and keys with a mandate together."""

    @overload
    def call(self, route: Literal["PUT /agents/{id}/mandate"], *, params: s.PutAgentsByIdMandateParams, body: s.ChangeMandate, timeout: float | None = None) -> s.Agent:
        """Change what an agent or a key may do with money."""

    @overload
    def call(self, route: Literal["GET /agents"], *, timeout: float | None = None) -> s.GetAgentsAnswer:
        """Connected agents and API keys with their mandates, newest first."""

    @overload
    def call(self, route: Literal["GET /agents/{id}/refused"], *, params: s.GetAgentsByIdRefusedParams, timeout: float | None = None) -> s.GetAgentsByIdRefusedAnswer:
        """What the mandate of an agent or a key has refused lately, newest first."""

    @overload
    def call(self, route: Literal["POST /agents/pause-all"], *, timeout: float | None = None) -> s.PostAgentsPauseAllAnswer:
        """Suspend every connected agent, and every API key with a mandate."""

    @overload
    def call(self, route: Literal["GET /agents/me"], *, timeout: float | None = None) -> s.GetAgentsMeAnswer:
        """What the caller may do, and what of it is used."""

    @overload
    def call(self, route: Literal["POST /agents/{id}/resume"], *, params: s.PostAgentsByIdResumeParams, timeout: float | None = None) -> s.Agent:
        """Let a suspended agent or key go on within its mandate."""

    @overload
    def call(self, route: Literal["POST /agents/{id}/suspend"], *, params: s.PostAgentsByIdSuspendParams, body: s.PostAgentsByIdSuspendBody | None = None, timeout: float | None = None) -> s.Agent:
        """Suspend an agent or a key: it opens nothing until it is resumed."""

    @overload
    def call(self, route: Literal["POST /alerts/{id}/cancel"], *, params: s.PostAlertsByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Cancel an alert."""

    @overload
    def call(self, route: Literal["PATCH /alerts/{id}"], *, params: s.PatchAlertsByIdParams, body: s.ChangeAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Change the level or expiry of a waiting alert."""

    @overload
    def call(self, route: Literal["GET /alerts/{id}"], *, params: s.GetAlertsByIdParams, account: str | None = None, timeout: float | None = None) -> s.Alert:
        """One alert."""

    @overload
    def call(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetAlertsAnswer:
        """Alerts, newest first."""

    @overload
    def call(self, route: Literal["POST /alerts"], *, body: s.OpenAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Be told when a market condition is met: nothing is traded."""

    @overload
    def call(self, route: Literal["POST /api-keys"], *, body: s.PostApiKeysBody, timeout: float | None = None) -> s.CreatedApiKey:
        """Create an API key."""

    @overload
    def call(self, route: Literal["GET /api-keys"], *, timeout: float | None = None) -> s.GetApiKeysAnswer:
        """The user's API keys, newest first."""

    @overload
    def call(self, route: Literal["DELETE /api-keys/{id}"], *, params: s.DeleteApiKeysByIdParams, timeout: float | None = None) -> None:
        """Revoke an API key."""

    @overload
    def call(self, route: Literal["POST /approvals/{id}/approve"], *, params: s.PostApprovalsByIdApproveParams, body: s.Approve, timeout: float | None = None) -> s.Approval:
        """Approve an order: it is placed as whoever asked for it would place it now."""

    @overload
    def call(self, route: Literal["POST /approvals/{id}/deny"], *, params: s.PostApprovalsByIdDenyParams, timeout: float | None = None) -> s.Approval:
        """Deny an order: nothing is placed."""

    @overload
    def call(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> s.GetApprovalsAnswer:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    def call(self, route: Literal["GET /approvals/{id}"], *, params: s.GetApprovalsByIdParams, timeout: float | None = None) -> s.Approval:
        """One order that was asked about, with the prices of now."""

    @overload
    def call(self, route: Literal["GET /approvals/mine/{id}"], *, params: s.GetApprovalsMineByIdParams, timeout: float | None = None) -> s.AskedApproval:
        """What became of an order that the caller asked for."""

    @overload
    def call(self, route: Literal["DELETE /approvals/mine/{id}"], *, params: s.DeleteApprovalsMineByIdParams, timeout: float | None = None) -> s.AskedApproval:
        """Take back an order that waits for the user."""

    @overload
    def call(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> s.GetAuditLogAnswer:
        """The user's security-relevant actions, newest first."""

    @overload
    def call(self, route: Literal["DELETE /auth/sessions/{id}"], *, params: s.DeleteAuthSessionsByIdParams, timeout: float | None = None) -> None:
        """End one session."""

    @overload
    def call(self, route: Literal["GET /auth/sessions"], *, timeout: float | None = None) -> s.GetAuthSessionsAnswer:
        """The user's sessions, newest first."""

    @overload
    def call(self, route: Literal["POST /auth/login"], *, body: s.LoginBody, timeout: float | None = None) -> s.SignedIn:
        """Sign in with e-mail and password, or with a wallet."""

    @overload
    def call(self, route: Literal["POST /auth/logout"], *, timeout: float | None = None) -> None:
        """End the current session."""

    @overload
    def call(self, route: Literal["GET /auth/me"], *, timeout: float | None = None) -> s.User:
        """The signed-in user."""

    @overload
    def call(self, route: Literal["POST /auth/nonce"], *, body: s.PostAuthNonceBody, timeout: float | None = None) -> s.WalletChallenge:
        """Get a text for a wallet to sign."""

    @overload
    def call(self, route: Literal["POST /auth/password"], *, body: s.PostAuthPasswordBody, timeout: float | None = None) -> None:
        """Change the password."""

    @overload
    def call(self, route: Literal["POST /auth/session/refresh"], *, body: s.PostAuthSessionRefreshBody | None = None, timeout: float | None = None) -> s.SessionTokens:
        """Exchange the refresh token for a new pair."""

    @overload
    def call(self, route: Literal["POST /auth/register"], *, body: s.PostAuthRegisterBody, timeout: float | None = None) -> s.Registered:
        """Create a user and sign in."""

    @overload
    def call(self, route: Literal["POST /auth/ws-ticket"], *, timeout: float | None = None) -> s.WsTicket:
        """Get a ticket for the WebSocket."""

    @overload
    def call(self, route: Literal["DELETE /positions/{id}/auto-rebalance"], *, params: s.DeletePositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> None:
        """End it."""

    @overload
    def call(self, route: Literal["GET /positions/{id}/auto-rebalance"], *, params: s.GetPositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None) -> s.AutoRebalance:
        """The position's configuration."""

    @overload
    def call(self, route: Literal["PUT /positions/{id}/auto-rebalance"], *, params: s.PutPositionsByIdAutoRebalanceParams, body: s.AutoRebalanceInput, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Keep the weights of a position."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/auto-rebalance/pause"], *, params: s.PostPositionsByIdAutoRebalancePauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Pause it."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/auto-rebalance/resume"], *, params: s.PostPositionsByIdAutoRebalanceResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Resume it."""

    @overload
    def call(self, route: Literal["GET /analytics/weights"], *, query: s.GetAnalyticsWeightsQuery, timeout: float | None = None) -> s.BasketWeights:
        """Weights of a basket: equal, neutral in volatility or beta, by hedge ratio."""

    @overload
    def call(self, route: Literal["GET /analytics/pair/summary"], *, query: s.GetAnalyticsPairSummaryQuery, timeout: float | None = None) -> s.PairSummary:
        """A pair in one line: ratio, 24 hours, funding both ways, open interest, statistics."""

    @overload
    def call(self, route: Literal["GET /analytics/funding"], *, query: s.GetAnalyticsFundingQuery, timeout: float | None = None) -> s.BasketFunding:
        """A basket's funding now, and over the last 7 and 30 days."""

    @overload
    def call(self, route: Literal["POST /markets/baskets/positions"], *, body: s.CountBasketPositions, timeout: float | None = None) -> s.BasketCounts:
        """How often baskets were opened, and by how many traders."""

    @overload
    def call(self, route: Literal["GET /markets/baskets"], *, query: s.GetMarketsBasketsQuery, timeout: float | None = None) -> s.MarketBasketList:
        """Baskets: those opened or saved here before, then every pair of tradable instruments."""

    @overload
    def call(self, route: Literal["PUT /positions/{id}/brackets"], *, params: s.PutPositionsByIdBracketsParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PositionBrackets:
        """Set, replace or remove take-profit and stop-loss."""

    @overload
    def call(self, route: Literal["GET /analytics/pair"], *, query: s.GetAnalyticsPairQuery, timeout: float | None = None) -> s.PairAnalytics:
        """How two instruments move together."""

    @overload
    def call(self, route: Literal["GET /candles/basket"], *, query: s.GetCandlesBasketQuery, timeout: float | None = None) -> s.BasketCandleList:
        """Candles of a basket's ratio."""

    @overload
    def call(self, route: Literal["GET /candles"], *, query: s.GetCandlesQuery, timeout: float | None = None) -> s.CandleList:
        """Candles of an instrument."""

    @overload
    def call(self, route: Literal["GET /app/start"], *, timeout: float | None = None) -> s.DashboardStart:
        """Is this browser signed in, and can somebody register?."""

    @overload
    def call(self, route: Literal["POST /auth/link"], *, body: s.PostAuthLinkBody, timeout: float | None = None) -> s.SignedIn:
        """Sign in with the link that `tandem start --open` made."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/change-account-tier"], *, body: s.PostMiscExchangeChangeAccountTierBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeChangeAccountTierAnswer:
        """Move the account to another tier."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/change-pub-key"], *, body: s.PostMiscExchangeChangePubKeyBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeChangePubKeyAnswer:
        """Submit the signed transaction that registers the key."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/create-api-key"], *, body: s.PostMiscExchangeCreateApiKeyBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeCreateApiKeyAnswer:
        """Generate a key pair and the message that the owner's wallet signs."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/create-auth-token"], *, body: s.PostMiscExchangeCreateAuthTokenBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeCreateAuthTokenAnswer:
        """Create a token for the venue's private API."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/uda"], *, body: s.PostMiscExchangeUdaBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeUdaAnswer:
        """One deposit address per chain family, all crediting the account of the wallet."""

    @overload
    def call(self, route: Literal["GET /misc/exchange/uda/{walletAddress}"], *, params: s.GetMiscExchangeUdaByWalletAddressParams, account: str | None = None, timeout: float | None = None) -> s.GetMiscExchangeUdaByWalletAddressAnswer:
        """The deposits that the bridge has seen for the wallet."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/prepare-approve-integrator"], *, body: s.PostMiscExchangePrepareApproveIntegratorBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangePrepareApproveIntegratorAnswer:
        """Sign the approval of the integrator and get the message to sign."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/prepare-fast-withdraw"], *, body: s.PostMiscExchangePrepareFastWithdrawBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangePrepareFastWithdrawAnswer:
        """Sign a transfer to the venue's withdrawal pool and get the message to sign."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/submit-approve-integrator"], *, body: s.PostMiscExchangeSubmitApproveIntegratorBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeSubmitApproveIntegratorAnswer:
        """Submit the signed approval."""

    @overload
    def call(self, route: Literal["POST /misc/exchange/submit-fast-withdraw"], *, body: s.PostMiscExchangeSubmitFastWithdrawBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeSubmitFastWithdrawAnswer:
        """Submit the signed fast withdrawal of USDC."""

    @overload
    def call(self, route: Literal["GET /fee"], *, query: s.GetFeeQuery, timeout: float | None = None) -> s.FeeQuote:
        """Quote the fee of a basket or of a notional."""

    @overload
    def call(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetPositionsClosedAnswer:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    def call(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFundingPaymentsAnswer:
        """Funding payments, newest first, and what they come to."""

    @overload
    def call(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFillsByPositionIdAnswer:
        """The fills of one position, newest first."""

    @overload
    def call(self, route: Literal["PATCH /integrations/{id}"], *, params: s.PatchIntegrationsByIdParams, body: s.ChangeIntegration, timeout: float | None = None) -> s.Integration:
        """Rename an integration, switch it off or on."""

    @overload
    def call(self, route: Literal["POST /integrations"], *, body: s.CreateIntegration, timeout: float | None = None) -> s.Integration:
        """Add an integration."""

    @overload
    def call(self, route: Literal["GET /integrations"], *, timeout: float | None = None) -> s.GetIntegrationsAnswer:
        """The user's integrations, oldest first."""

    @overload
    def call(self, route: Literal["POST /ladders/{ladderId}/cancel"], *, params: s.PostLaddersByLadderIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Ladder:
        """Cancel the ladder and all rungs that wait."""

    @overload
    def call(self, route: Literal["POST /ladders"], *, body: s.CreateLadder, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Ladder:
        """Stagger entries across a range."""

    @overload
    def call(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetLaddersAnswer:
        """Ladders, newest first."""

    @overload
    def call(self, route: Literal["GET /ladders/{ladderId}"], *, params: s.GetLaddersByLadderIdParams, account: str | None = None, timeout: float | None = None) -> s.Ladder:
        """One ladder with its rungs."""

    @overload
    def call(self, route: Literal["GET /feeds"], *, query: s.GetFeedsQuery, timeout: float | None = None) -> s.Feeds:
        """Bitcoin dominance and prediction markets of a connector."""

    @overload
    def call(self, route: Literal["GET /instruments/symbol-to-id-map"], *, query: s.GetInstrumentsSymbolToIdMapQuery, timeout: float | None = None) -> s.SymbolToIdMap:
        """Map of ticker to instrument ID."""

    @overload
    def call(self, route: Literal["GET /connectors"], *, timeout: float | None = None) -> s.ConnectorList:
        """Connectors and their status."""

    @overload
    def call(self, route: Literal["GET /funding"], *, query: s.GetFundingQuery, timeout: float | None = None) -> s.FundingList:
        """Funding rates and next funding times of all instruments of a connector."""

    @overload
    def call(self, route: Literal["GET /instruments"], *, query: s.GetInstrumentsQuery, timeout: float | None = None) -> s.InstrumentList:
        """Instruments with their trading rules."""

    @overload
    def call(self, route: Literal["GET /instruments/lite"], *, query: s.GetInstrumentsLiteQuery, timeout: float | None = None) -> s.InstrumentLiteList:
        """Instruments trimmed for account syncing."""

    @overload
    def call(self, route: Literal["GET /markets"], *, query: s.GetMarketsQuery, timeout: float | None = None) -> s.MarketList:
        """Single-instrument markets, by descending 24 h volume."""

    @overload
    def call(self, route: Literal["GET /prices"], *, query: s.GetPricesQuery, timeout: float | None = None) -> s.PriceList:
        """Latest prices of all instruments of a connector."""

    @overload
    def call(self, route: Literal["PATCH /notification-channels/{id}"], *, params: s.PatchNotificationChannelsByIdParams, body: s.PatchNotificationChannelsByIdBody, timeout: float | None = None) -> s.NotificationChannel:
        """Change what a channel hears, or turn it off and on."""

    @overload
    def call(self, route: Literal["DELETE /notification-channels/{id}"], *, params: s.DeleteNotificationChannelsByIdParams, timeout: float | None = None) -> None:
        """Remove a channel and its secrets."""

    @overload
    def call(self, route: Literal["POST /notification-channels"], *, body: s.PostNotificationChannelsBody, timeout: float | None = None) -> s.NotificationChannel:
        """Send notifications to ntfy, Telegram or Discord."""

    @overload
    def call(self, route: Literal["GET /notification-channels"], *, timeout: float | None = None) -> s.GetNotificationChannelsAnswer:
        """Where the user's notifications are sent, oldest first."""

    @overload
    def call(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> s.GetNotificationChannelsByIdDeliveriesAnswer:
        """What was sent, newest first."""

    @overload
    def call(self, route: Literal["POST /notification-channels/{id}/test"], *, params: s.PostNotificationChannelsByIdTestParams, timeout: float | None = None) -> s.Delivery:
        """Send a test message, once."""

    @overload
    def call(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> s.GetNotificationsAnswer:
        """Notifications, newest first."""

    @overload
    def call(self, route: Literal["POST /notifications/read"], *, body: s.ReadNotifications, timeout: float | None = None) -> s.PostNotificationsReadAnswer:
        """Mark one notification as read, or all up to a moment."""

    @overload
    def call(self, route: Literal["POST /notifications/unread"], *, body: s.PostNotificationsUnreadBody, timeout: float | None = None) -> s.PostNotificationsUnreadAnswer:
        """Mark a notification as unread again."""

    @overload
    def call(self, route: Literal["POST /interaction/{uid}/abort"], *, params: s.PostInteractionByUidAbortParams, timeout: float | None = None) -> s.ReturnTo:
        """Refuse the client."""

    @overload
    def call(self, route: Literal["POST /interaction/{uid}/confirm"], *, params: s.PostInteractionByUidConfirmParams, body: s.PostInteractionByUidConfirmBody, timeout: float | None = None) -> s.ReturnTo:
        """Allow the client."""

    @overload
    def call(self, route: Literal["GET /oauth2/grants/{id}/waiting"], *, params: s.GetOauth2GrantsByIdWaitingParams, timeout: float | None = None) -> s.LeftWaiting:
        """What disconnecting an agent would cancel."""

    @overload
    def call(self, route: Literal["GET /oauth2/grants"], *, timeout: float | None = None) -> s.GetOauth2GrantsAnswer:
        """Connected agents, newest first."""

    @overload
    def call(self, route: Literal["POST /interaction/{uid}/login"], *, params: s.PostInteractionByUidLoginParams, body: s.LoginBody, timeout: float | None = None) -> s.ReturnTo:
        """Sign in on the consent page."""

    @overload
    def call(self, route: Literal["GET /interaction/{uid}"], *, params: s.GetInteractionByUidParams, timeout: float | None = None) -> s.OAuthInteraction:
        """What a client asks for."""

    @overload
    def call(self, route: Literal["GET /interaction/{uid}/terms"], *, params: s.GetInteractionByUidTermsParams, timeout: float | None = None) -> s.InteractionTerms:
        """What the user can choose from on the consent page."""

    @overload
    def call(self, route: Literal["POST /interaction/{uid}/terms"], *, params: s.PostInteractionByUidTermsParams, body: s.PostInteractionByUidTermsBody, timeout: float | None = None) -> s.SaidMandate:
        """What a mandate means, in sentences; nothing is kept."""

    @overload
    def call(self, route: Literal["DELETE /oauth2/grants/{id}"], *, params: s.DeleteOauth2GrantsByIdParams, query: s.DeleteOauth2GrantsByIdQuery | None = None, timeout: float | None = None) -> None:
        """Disconnect an agent."""

    @overload
    def call(self, route: Literal["GET /books"], *, query: s.GetBooksQuery, timeout: float | None = None) -> s.GetBooksAnswer:
        """The best levels of order books."""

    @overload
    def call(self, route: Literal["POST /orders/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CancelReport:
        """Cancel all of the account's open orders."""

    @overload
    def call(self, route: Literal["POST /orders/{id}/cancel"], *, params: s.PostOrdersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Order:
        """Cancel what has not filled yet."""

    @overload
    def call(self, route: Literal["GET /orders/{id}"], *, params: s.GetOrdersByIdParams, account: str | None = None, timeout: float | None = None) -> s.Order:
        """One order."""

    @overload
    def call(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetOrdersAnswer:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    def call(self, route: Literal["DELETE /trade-accounts/{id}/paper/faults/{faultId}"], *, params: s.DeleteTradeAccountsByIdPaperFaultsByFaultIdParams, timeout: float | None = None) -> None:
        """End one fault."""

    @overload
    def call(self, route: Literal["DELETE /trade-accounts/{id}/paper/faults"], *, params: s.DeleteTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> s.DeleteTradeAccountsByIdPaperFaultsAnswer:
        """End all faults of a paper account."""

    @overload
    def call(self, route: Literal["GET /trade-accounts/{id}/paper/faults"], *, params: s.GetTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> s.GetTradeAccountsByIdPaperFaultsAnswer:
        """The faults that are on, oldest first."""

    @overload
    def call(self, route: Literal["POST /trade-accounts/{id}/paper/faults"], *, params: s.PostTradeAccountsByIdPaperFaultsParams, body: s.PostTradeAccountsByIdPaperFaultsBody | s.PostTradeAccountsByIdPaperFaultsBody2 | s.PostTradeAccountsByIdPaperFaultsBody3 | s.PostTradeAccountsByIdPaperFaultsBody4 | s.PostTradeAccountsByIdPaperFaultsBody5, timeout: float | None = None) -> s.PaperFault:
        """Put a fault on a paper account."""

    @overload
    def call(self, route: Literal["GET /portfolio"], *, query: s.GetPortfolioQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.Portfolio:
        """The account's result over a range, with buckets."""

    @overload
    def call(self, route: Literal["GET /portfolio/analytics"], *, query: s.GetPortfolioAnalyticsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.PortfolioAnalytics:
        """Risk metrics, instruments, baskets and the daily series."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/margin"], *, params: s.PostPositionsByIdMarginParams, body: s.ChangeMargin, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.MarginChange:
        """Add margin to an isolated leg, or take some out."""

    @overload
    def call(self, route: Literal["POST /positions/close-all"], *, body: s.CloseAllPositions | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CloseAllReport:
        """Close all of the account's positions."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/reverse"], *, params: s.PostPositionsByIdReverseParams, body: s.ReversePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.ReversePlaced:
        """Close a position and open its opposite in the same quantities."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/adjust/plan"], *, params: s.PostPositionsByIdAdjustPlanParams, body: s.PlanAdjust, account: str | None = None, timeout: float | None = None) -> s.AdjustPlan:
        """What an increase or a reduction would do now."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/brackets/plan"], *, params: s.PostPositionsByIdBracketsPlanParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None) -> s.BracketsPlan:
        """Protection by take-profit and stop-loss before they are set."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/close/plan"], *, params: s.PostPositionsByIdClosePlanParams, body: s.PlanClose | None = None, account: str | None = None, timeout: float | None = None) -> s.ClosePlan:
        """What a close, or the close of a share, would do now."""

    @overload
    def call(self, route: Literal["POST /positions/close-all/plan"], *, body: s.PlanCloseAll | None = None, account: str | None = None, timeout: float | None = None) -> s.CloseAllPlan:
        """What closing all of the account's positions would do now."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/reverse/plan"], *, params: s.PostPositionsByIdReversePlanParams, body: s.PlanReverse | None = None, account: str | None = None, timeout: float | None = None) -> s.ReversePlan:
        """What a reversal would do now."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/adjust"], *, params: s.PostPositionsByIdAdjustParams, body: s.AdjustPosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.OrderPlaced:
        """Increase or reduce a position."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/close"], *, params: s.PostPositionsByIdCloseParams, body: s.ClosePosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.RestingClose | s.OrderPlaced:
        """Close a position, or a fraction of it: now, in slices, or when a condition is met."""

    @overload
    def call(self, route: Literal["GET /positions/{id}"], *, params: s.GetPositionsByIdParams, account: str | None = None, timeout: float | None = None) -> s.Position:
        """One position."""

    @overload
    def call(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetPositionsAnswer:
        """Positions, open and closed."""

    @overload
    def call(self, route: Literal["GET /positions/lite"], *, account: str | None = None, timeout: float | None = None) -> s.GetPositionsLiteAnswer:
        """Open positions, minimal fields."""

    @overload
    def call(self, route: Literal["POST /trade/open"], *, body: s.OpenTrade, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PlanAnswer | s.OpenPlaced:
        """Open a basket at market, or add to the open one."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/rebalance/plan"], *, params: s.PostPositionsByIdRebalancePlanParams, body: s.PlanRebalance | None = None, account: str | None = None, timeout: float | None = None) -> s.RebalancePlan:
        """What a rebalance would trade now."""

    @overload
    def call(self, route: Literal["POST /positions/{id}/rebalance"], *, params: s.PostPositionsByIdRebalanceParams, body: s.RebalancePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.OrderPlaced:
        """Rebalance now."""

    @overload
    def call(self, route: Literal["GET /safety"], *, timeout: float | None = None) -> s.Safety:
        """Are new orders accepted?."""

    @overload
    def call(self, route: Literal["POST /safety/panic"], *, body: s.Panic, timeout: float | None = None, idempotency_key: str | None = None) -> s.PanicReport:
        """Pause, cancel everything that waits and close every position of all of the user's accounts."""

    @overload
    def call(self, route: Literal["POST /safety/pause"], *, timeout: float | None = None, idempotency_key: str | None = None) -> s.Safety:
        """No new orders on any of the user's accounts."""

    @overload
    def call(self, route: Literal["GET /safety/panic/plan"], *, query: s.GetSafetyPanicPlanQuery | None = None, timeout: float | None = None) -> s.PanicPlan:
        """What closing everything would close now."""

    @overload
    def call(self, route: Literal["POST /safety/resume"], *, timeout: float | None = None, idempotency_key: str | None = None) -> s.Safety:
        """Accept new orders again."""

    @overload
    def call(self, route: Literal["PATCH /saved-baskets/{id}"], *, params: s.PatchSavedBasketsByIdParams, body: s.ChangeSavedBasket, account: str | None = None, timeout: float | None = None) -> s.SavedBasket:
        """Rename a saved basket or replace its legs."""

    @overload
    def call(self, route: Literal["DELETE /saved-baskets/{id}"], *, params: s.DeleteSavedBasketsByIdParams, account: str | None = None, timeout: float | None = None) -> None:
        """Delete a saved basket."""

    @overload
    def call(self, route: Literal["POST /saved-baskets"], *, body: s.CreateSavedBasket, account: str | None = None, timeout: float | None = None) -> s.SavedBasket:
        """Save a basket."""

    @overload
    def call(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetSavedBasketsAnswer:
        """The account's saved baskets, most recently updated first."""

    @overload
    def call(self, route: Literal["POST /schedules/{id}/cancel"], *, params: s.PostSchedulesByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Cancel what has not been sent."""

    @overload
    def call(self, route: Literal["POST /schedules"], *, body: s.CreateSchedule, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Split a basket into timed slices (TWAP)."""

    @overload
    def call(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetSchedulesAnswer:
        """Schedules, newest first, without their slices."""

    @overload
    def call(self, route: Literal["GET /schedules/{id}"], *, params: s.GetSchedulesByIdParams, account: str | None = None, timeout: float | None = None) -> s.Schedule:
        """One schedule with its slices."""

    @overload
    def call(self, route: Literal["POST /schedules/{id}/pause"], *, params: s.PostSchedulesByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Send no more slices until it is resumed."""

    @overload
    def call(self, route: Literal["POST /schedules/{id}/resume"], *, params: s.PostSchedulesByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Go on with the slices that are left."""

    @overload
    def call(self, route: Literal["GET /analytics/screener"], *, query: s.GetAnalyticsScreenerQuery, timeout: float | None = None) -> s.Screener:
        """Statistics of every pair of the most traded instruments."""

    @overload
    def call(self, route: Literal["GET /sync/differences"], *, timeout: float | None = None) -> s.GetSyncDifferencesAnswer:
        """What the baskets do not explain, of each account."""

    @overload
    def call(self, route: Literal["GET /fills/provisionals-lite"], *, account: str | None = None, timeout: float | None = None) -> s.GetFillsProvisionalsLiteAnswer:
        """Provisional fills, minimal fields, oldest first."""

    @overload
    def call(self, route: Literal["GET /sync/reviews"], *, account: str | None = None, timeout: float | None = None) -> s.GetSyncReviewsAnswer:
        """Fills that came with the id of another trade, oldest first."""

    @overload
    def call(self, route: Literal["GET /positions/unassigned"], *, account: str | None = None, timeout: float | None = None) -> s.GetPositionsUnassignedAnswer:
        """What the account holds in no basket, by instrument, oldest first."""

    @overload
    def call(self, route: Literal["POST /trade-accounts/{id}/paper/outside-order"], *, params: s.PostTradeAccountsByIdPaperOutsideOrderParams, body: s.PaperOutsideOrder, timeout: float | None = None, idempotency_key: str | None = None) -> s.PaperOutsideOrderOutcome:
        """Trade a paper account past Tandem."""

    @overload
    def call(self, route: Literal["POST /sync/positions/plan"], *, body: s.PlanSyncPosition, account: str | None = None, timeout: float | None = None) -> s.SyncPositionPlan:
        """What a position would be with what was traded past Tandem."""

    @overload
    def call(self, route: Literal["POST /sync/reviews/resolve"], *, body: s.ResolveReviews | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PostSyncReviewsResolveAnswer:
        """Say that the account was compared with the venue."""

    @overload
    def call(self, route: Literal["POST /sync"], *, body: s.SyncRequest | None = None, account: str | None = None, timeout: float | None = None) -> s.SyncReport:
        """Pull the account's fills, orders and positions from the venue now."""

    @overload
    def call(self, route: Literal["POST /sync/positions"], *, body: s.SyncPositionRequest, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Position:
        """Make a position of what was traded past Tandem."""

    @overload
    def call(self, route: Literal["GET /health"], *, timeout: float | None = None) -> s.Health:
        """Liveness."""

    @overload
    def call(self, route: Literal["GET /openapi.json"], *, timeout: float | None = None) -> dict[str, Any]:
        """This description, as OpenAPI 3.1."""

    @overload
    def call(self, route: Literal["GET /ready"], *, timeout: float | None = None) -> s.Readiness:
        """Readiness of storage, keychain and connectors."""

    @overload
    def call(self, route: Literal["GET /version"], *, timeout: float | None = None) -> s.Version:
        """Version of the gateway and of its API."""

    @overload
    def call(self, route: Literal["PATCH /trade-accounts/{id}"], *, params: s.PatchTradeAccountsByIdParams, body: s.PatchTradeAccountsByIdBody, timeout: float | None = None) -> s.TradeAccount:
        """Rename a trade account or replace its metadata."""

    @overload
    def call(self, route: Literal["GET /trade-accounts/{id}"], *, params: s.GetTradeAccountsByIdParams, timeout: float | None = None) -> s.TradeAccount:
        """One trade account with its checks."""

    @overload
    def call(self, route: Literal["DELETE /trade-accounts/{id}"], *, params: s.DeleteTradeAccountsByIdParams, timeout: float | None = None) -> None:
        """Remove a trade account and its credentials."""

    @overload
    def call(self, route: Literal["POST /trade-accounts"], *, body: s.PostTradeAccountsBody, timeout: float | None = None) -> s.TradeAccount:
        """Add a trade account."""

    @overload
    def call(self, route: Literal["GET /trade-accounts"], *, timeout: float | None = None) -> s.GetTradeAccountsAnswer:
        """The trade accounts that the caller reaches, oldest first."""

    @overload
    def call(self, route: Literal["POST /trade-accounts/{id}/credentials"], *, params: s.PostTradeAccountsByIdCredentialsParams, timeout: float | None = None) -> s.StoredCredentials:
        """Read the account's own decrypted venue credentials."""

    @overload
    def call(self, route: Literal["DELETE /trade-accounts/{id}/credentials"], *, params: s.DeleteTradeAccountsByIdCredentialsParams, timeout: float | None = None) -> None:
        """Remove the stored venue credentials."""

    @overload
    def call(self, route: Literal["PUT /trade-accounts/{id}/credentials"], *, params: s.PutTradeAccountsByIdCredentialsParams, body: s.VenueCredentials, timeout: float | None = None) -> s.TradeAccount:
        """Store venue credentials."""

    @overload
    def call(self, route: Literal["POST /trade-accounts/{id}/paper/reset"], *, params: s.PostTradeAccountsByIdPaperResetParams, timeout: float | None = None, idempotency_key: str | None = None) -> s.TradeAccount:
        """Set a paper account back to its starting balance."""

    @overload
    def call(self, route: Literal["GET /executions/{id}"], *, params: s.GetExecutionsByIdParams, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsByIdAnswer:
        """One execution, whatever its status: the way to read a failure reason."""

    @overload
    def call(self, route: Literal["GET /executions/by-key"], *, query: s.GetExecutionsByKeyQuery, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsByKeyAnswer:
        """The execution that was acknowledged under an `Idempotency-Key`."""

    @overload
    def call(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsAnswer:
        """Executions, newest first."""

    @overload
    def call(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFillsAnswer:
        """Fills by time."""

    @overload
    def call(self, route: Literal["GET /leverage"], *, account: str | None = None, timeout: float | None = None) -> s.GetLeverageAnswer:
        """The account's leverage settings."""

    @overload
    def call(self, route: Literal["PUT /leverage"], *, body: s.PutLeverage, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Empty:
        """Set leverage and margin mode of an instrument."""

    @overload
    def call(self, route: Literal["POST /triggers/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CancelReport:
        """Cancel all of the account's waiting triggers, brackets and rungs included."""

    @overload
    def call(self, route: Literal["POST /triggers/{id}/cancel"], *, params: s.PostTriggersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Cancel a trigger."""

    @overload
    def call(self, route: Literal["PATCH /triggers/{id}"], *, params: s.PatchTriggersByIdParams, body: s.ChangeTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Change the level, expiry or brackets of a waiting trigger."""

    @overload
    def call(self, route: Literal["GET /triggers/{id}"], *, params: s.GetTriggersByIdParams, account: str | None = None, timeout: float | None = None) -> s.Trigger:
        """One trigger."""

    @overload
    def call(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetTriggersAnswer:
        """Triggers, newest first."""

    @overload
    def call(self, route: Literal["POST /triggers/open"], *, body: s.OpenTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Open a basket when a market condition is met."""

    @overload
    def call(self, route: Literal["POST /triggers/{id}/pause"], *, params: s.PostTriggersByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Stop watching until it is resumed."""

    @overload
    def call(self, route: Literal["POST /triggers/{id}/resume"], *, params: s.PostTriggersByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Watch again."""

    @overload
    def call(self, route: Literal["GET /connectors/{id}/check"], *, params: s.GetConnectorsByIdCheckParams, timeout: float | None = None) -> s.VenueCheck:
        """What the last check of a live venue found."""

    @overload
    def call(self, route: Literal["POST /connectors/{id}/check"], *, params: s.PostConnectorsByIdCheckParams, body: s.PostConnectorsByIdCheckBody, timeout: float | None = None) -> s.VenueCheck:
        """Check whether everything works that trading at a live venue needs."""

    @overload
    def call(self, route: Literal["DELETE /connectors/{id}/wallet-approvals/{approvalId}"], *, params: s.DeleteConnectorsByIdWalletApprovalsByApprovalIdParams, timeout: float | None = None) -> None:
        """Erase a key that was not approved."""

    @overload
    def call(self, route: Literal["POST /connectors/{id}/wallet-approvals/{approvalId}"], *, params: s.PostConnectorsByIdWalletApprovalsByApprovalIdParams, body: s.PostConnectorsByIdWalletApprovalsByApprovalIdBody, timeout: float | None = None) -> s.TradeAccount:
        """Connect the account with the signature of its wallet."""

    @overload
    def call(self, route: Literal["POST /connectors/{id}/wallet-approvals"], *, params: s.PostConnectorsByIdWalletApprovalsParams, body: s.PostConnectorsByIdWalletApprovalsBody, timeout: float | None = None) -> s.WalletApproval:
        """Make a trading key that a browser wallet approves."""

    @overload
    def call(self, route: Literal["PATCH /webhooks/{id}"], *, params: s.PatchWebhooksByIdParams, body: s.PatchWebhooksByIdBody, timeout: float | None = None) -> s.Webhook:
        """Change a webhook, or turn it off and on."""

    @overload
    def call(self, route: Literal["GET /webhooks/{id}"], *, params: s.GetWebhooksByIdParams, timeout: float | None = None) -> s.Webhook:
        """One webhook."""

    @overload
    def call(self, route: Literal["DELETE /webhooks/{id}"], *, params: s.DeleteWebhooksByIdParams, timeout: float | None = None) -> None:
        """Remove a webhook, its secret and its log."""

    @overload
    def call(self, route: Literal["POST /webhooks"], *, body: s.PostWebhooksBody, timeout: float | None = None) -> s.CreatedWebhook:
        """Send events to an address."""

    @overload
    def call(self, route: Literal["GET /webhooks"], *, timeout: float | None = None) -> s.GetWebhooksAnswer:
        """The user's webhooks, oldest first."""

    @overload
    def call(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> s.GetWebhooksByIdDeliveriesAnswer:
        """What was delivered, newest first."""

    @overload
    def call(self, route: Literal["POST /webhooks/{id}/deliveries/{deliveryId}/redeliver"], *, params: s.PostWebhooksByIdDeliveriesByDeliveryIdRedeliverParams, timeout: float | None = None) -> s.Delivery:
        """Send an event again."""

    @overload
    def call(self, route: Literal["POST /webhooks/{id}/rotate-secret"], *, params: s.PostWebhooksByIdRotateSecretParams, body: s.PostWebhooksByIdRotateSecretBody, timeout: float | None = None) -> s.RotatedSecret:
        """Give a webhook a new secret."""

    @overload
    def call(self, route: Literal["POST /webhooks/{id}/test"], *, params: s.PostWebhooksByIdTestParams, timeout: float | None = None) -> s.Delivery:
        """Send a test event, once."""

    def call(self, route: str, **given: Any) -> Any:

        """One request, by the name of its route: ``call("GET /positions/{id}", params={"id": id})``.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        Tried once: while the gateway restarts it ends with ``GatewayUnreachable`` at once.
        """

        return self._call(route, given)

    def _call(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    def place(self, route: Literal["POST /alerts/{id}/cancel"], *, params: s.PostAlertsByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Cancel an alert."""

    @overload
    def place(self, route: Literal["PATCH /alerts/{id}"], *, params: s.PatchAlertsByIdParams, body: s.ChangeAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Change the level or expiry of a waiting alert."""

    @overload
    def place(self, route: Literal["POST /alerts"], *, body: s.OpenAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Be told when a market condition is met: nothing is traded."""

    @overload
    def place(self, route: Literal["DELETE /positions/{id}/auto-rebalance"], *, params: s.DeletePositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> None:
        """End it."""

    @overload
    def place(self, route: Literal["PUT /positions/{id}/auto-rebalance"], *, params: s.PutPositionsByIdAutoRebalanceParams, body: s.AutoRebalanceInput, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Keep the weights of a position."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/auto-rebalance/pause"], *, params: s.PostPositionsByIdAutoRebalancePauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Pause it."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/auto-rebalance/resume"], *, params: s.PostPositionsByIdAutoRebalanceResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Resume it."""

    @overload
    def place(self, route: Literal["PUT /positions/{id}/brackets"], *, params: s.PutPositionsByIdBracketsParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PositionBrackets:
        """Set, replace or remove take-profit and stop-loss."""

    @overload
    def place(self, route: Literal["POST /ladders/{ladderId}/cancel"], *, params: s.PostLaddersByLadderIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Ladder:
        """Cancel the ladder and all rungs that wait."""

    @overload
    def place(self, route: Literal["POST /ladders"], *, body: s.CreateLadder, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Ladder:
        """Stagger entries across a range."""

    @overload
    def place(self, route: Literal["POST /orders/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CancelReport:
        """Cancel all of the account's open orders."""

    @overload
    def place(self, route: Literal["POST /orders/{id}/cancel"], *, params: s.PostOrdersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Order:
        """Cancel what has not filled yet."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/margin"], *, params: s.PostPositionsByIdMarginParams, body: s.ChangeMargin, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.MarginChange:
        """Add margin to an isolated leg, or take some out."""

    @overload
    def place(self, route: Literal["POST /positions/close-all"], *, body: s.CloseAllPositions | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CloseAllReport:
        """Close all of the account's positions."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/reverse"], *, params: s.PostPositionsByIdReverseParams, body: s.ReversePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.ReversePlaced:
        """Close a position and open its opposite in the same quantities."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/adjust"], *, params: s.PostPositionsByIdAdjustParams, body: s.AdjustPosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Increase or reduce a position."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/close"], *, params: s.PostPositionsByIdCloseParams, body: s.ClosePosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Close a position, or a fraction of it: now, in slices, or when a condition is met."""

    @overload
    def place(self, route: Literal["POST /trade/open"], *, body: s.OpenTrade, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OpenPlaced:
        """Open a basket at market, or add to the open one."""

    @overload
    def place(self, route: Literal["POST /positions/{id}/rebalance"], *, params: s.PostPositionsByIdRebalanceParams, body: s.RebalancePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Rebalance now."""

    @overload
    def place(self, route: Literal["POST /safety/panic"], *, body: s.Panic, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PanicReport:
        """Pause, cancel everything that waits and close every position of all of the user's accounts."""

    @overload
    def place(self, route: Literal["POST /safety/pause"], *, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Safety:
        """No new orders on any of the user's accounts."""

    @overload
    def place(self, route: Literal["POST /safety/resume"], *, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Safety:
        """Accept new orders again."""

    @overload
    def place(self, route: Literal["POST /schedules/{id}/cancel"], *, params: s.PostSchedulesByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Cancel what has not been sent."""

    @overload
    def place(self, route: Literal["POST /schedules"], *, body: s.CreateSchedule, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Split a basket into timed slices (TWAP)."""

    @overload
    def place(self, route: Literal["POST /schedules/{id}/pause"], *, params: s.PostSchedulesByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Send no more slices until it is resumed."""

    @overload
    def place(self, route: Literal["POST /schedules/{id}/resume"], *, params: s.PostSchedulesByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Go on with the slices that are left."""

    @overload
    def place(self, route: Literal["POST /trade-accounts/{id}/paper/outside-order"], *, params: s.PostTradeAccountsByIdPaperOutsideOrderParams, body: s.PaperOutsideOrder, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PaperOutsideOrderOutcome:
        """Trade a paper account past Tandem."""

    @overload
    def place(self, route: Literal["POST /sync/reviews/resolve"], *, body: s.ResolveReviews | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PostSyncReviewsResolveAnswer:
        """Say that the account was compared with the venue."""

    @overload
    def place(self, route: Literal["POST /sync/positions"], *, body: s.SyncPositionRequest, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Position:
        """Make a position of what was traded past Tandem."""

    @overload
    def place(self, route: Literal["POST /trade-accounts/{id}/paper/reset"], *, params: s.PostTradeAccountsByIdPaperResetParams, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.TradeAccount:
        """Set a paper account back to its starting balance."""

    @overload
    def place(self, route: Literal["PUT /leverage"], *, body: s.PutLeverage, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Empty:
        """Set leverage and margin mode of an instrument."""

    @overload
    def place(self, route: Literal["POST /triggers/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CancelReport:
        """Cancel all of the account's waiting triggers, brackets and rungs included."""

    @overload
    def place(self, route: Literal["POST /triggers/{id}/cancel"], *, params: s.PostTriggersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Cancel a trigger."""

    @overload
    def place(self, route: Literal["PATCH /triggers/{id}"], *, params: s.PatchTriggersByIdParams, body: s.ChangeTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Change the level, expiry or brackets of a waiting trigger."""

    @overload
    def place(self, route: Literal["POST /triggers/open"], *, body: s.OpenTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Open a basket when a market condition is met."""

    @overload
    def place(self, route: Literal["POST /triggers/{id}/pause"], *, params: s.PostTriggersByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Stop watching until it is resumed."""

    @overload
    def place(self, route: Literal["POST /triggers/{id}/resume"], *, params: s.PostTriggersByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Watch again."""

    def place(self, route: str, **given: Any) -> Any:

        """Places an order once, whatever is lost on the way. The answer says that it is on disk, not that it is filled: see ``ended``.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        ``idempotency_key``: default a random one; a key of your own, written down before, lets a program that died go on. A key belongs to one attempt: sent again within 24 hours it gets the first answer, also where that order failed.

        ``give_up_after``: seconds without an answer, default 60. Raises a ``Refusal`` when the gateway refuses (``ResourceBusy``: another action runs; wait for it and send again, the same key may be used); ``GatewayUnreachable`` when nothing was sent; ``OutcomeUnknown`` when it is not known.
        """

        return self._place(route, given)

    def _place(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    def rows(self, route: Literal["GET /agents/{id}/refused"], *, params: s.GetAgentsByIdRefusedParams, timeout: float | None = None) -> Rows[s.RefusedAttempt]:
        """What the mandate of an agent or a key has refused lately, newest first."""

    @overload
    def rows(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Alert]:
        """Alerts, newest first."""

    @overload
    def rows(self, route: Literal["GET /api-keys"], *, timeout: float | None = None) -> Rows[s.ApiKey]:
        """The user's API keys, newest first."""

    @overload
    def rows(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> Rows[s.Approval]:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    def rows(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> Rows[s.AuditEntry]:
        """The user's security-relevant actions, newest first."""

    @overload
    def rows(self, route: Literal["GET /auth/sessions"], *, timeout: float | None = None) -> Rows[s.Session]:
        """The user's sessions, newest first."""

    @overload
    def rows(self, route: Literal["GET /candles/basket"], *, query: s.GetCandlesBasketQuery, timeout: float | None = None) -> Rows[s.Candle]:
        """Candles of a basket's ratio."""

    @overload
    def rows(self, route: Literal["GET /candles"], *, query: s.GetCandlesQuery, timeout: float | None = None) -> Rows[s.Candle]:
        """Candles of an instrument."""

    @overload
    def rows(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.ClosedTrade]:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    def rows(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.FundingPayment]:
        """Funding payments, newest first, and what they come to."""

    @overload
    def rows(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Fill]:
        """The fills of one position, newest first."""

    @overload
    def rows(self, route: Literal["GET /integrations"], *, timeout: float | None = None) -> Rows[s.Integration]:
        """The user's integrations, oldest first."""

    @overload
    def rows(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Ladder]:
        """Ladders, newest first."""

    @overload
    def rows(self, route: Literal["GET /funding"], *, query: s.GetFundingQuery, timeout: float | None = None) -> Rows[s.Funding]:
        """Funding rates and next funding times of all instruments of a connector."""

    @overload
    def rows(self, route: Literal["GET /instruments"], *, query: s.GetInstrumentsQuery, timeout: float | None = None) -> Rows[s.Instrument]:
        """Instruments with their trading rules."""

    @overload
    def rows(self, route: Literal["GET /instruments/lite"], *, query: s.GetInstrumentsLiteQuery, timeout: float | None = None) -> Rows[s.InstrumentLite]:
        """Instruments trimmed for account syncing."""

    @overload
    def rows(self, route: Literal["GET /prices"], *, query: s.GetPricesQuery, timeout: float | None = None) -> Rows[s.Price]:
        """Latest prices of all instruments of a connector."""

    @overload
    def rows(self, route: Literal["GET /notification-channels"], *, timeout: float | None = None) -> Rows[s.NotificationChannel]:
        """Where the user's notifications are sent, oldest first."""

    @overload
    def rows(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> Rows[s.Delivery]:
        """What was sent, newest first."""

    @overload
    def rows(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> Rows[s.Notification]:
        """Notifications, newest first."""

    @overload
    def rows(self, route: Literal["GET /oauth2/grants"], *, timeout: float | None = None) -> Rows[s.OAuthGrant]:
        """Connected agents, newest first."""

    @overload
    def rows(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Order]:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    def rows(self, route: Literal["GET /trade-accounts/{id}/paper/faults"], *, params: s.GetTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> Rows[s.PaperFault]:
        """The faults that are on, oldest first."""

    @overload
    def rows(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Position]:
        """Positions, open and closed."""

    @overload
    def rows(self, route: Literal["GET /positions/lite"], *, account: str | None = None, timeout: float | None = None) -> Rows[s.PositionLite]:
        """Open positions, minimal fields."""

    @overload
    def rows(self, route: Literal["GET /safety/panic/plan"], *, query: s.GetSafetyPanicPlanQuery | None = None, timeout: float | None = None) -> Rows[s.PanicPlanAccountsItem]:
        """What closing everything would close now."""

    @overload
    def rows(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.SavedBasket]:
        """The account's saved baskets, most recently updated first."""

    @overload
    def rows(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.ScheduleSummary]:
        """Schedules, newest first, without their slices."""

    @overload
    def rows(self, route: Literal["GET /sync/differences"], *, timeout: float | None = None) -> Rows[s.AccountDifferences]:
        """What the baskets do not explain, of each account."""

    @overload
    def rows(self, route: Literal["GET /fills/provisionals-lite"], *, account: str | None = None, timeout: float | None = None) -> Rows[s.ProvisionalFill]:
        """Provisional fills, minimal fields, oldest first."""

    @overload
    def rows(self, route: Literal["GET /sync/reviews"], *, account: str | None = None, timeout: float | None = None) -> Rows[s.FillReview]:
        """Fills that came with the id of another trade, oldest first."""

    @overload
    def rows(self, route: Literal["GET /positions/unassigned"], *, account: str | None = None, timeout: float | None = None) -> Rows[s.UnassignedHolding]:
        """What the account holds in no basket, by instrument, oldest first."""

    @overload
    def rows(self, route: Literal["GET /trade-accounts"], *, timeout: float | None = None) -> Rows[s.TradeAccount]:
        """The trade accounts that the caller reaches, oldest first."""

    @overload
    def rows(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Execution]:
        """Executions, newest first."""

    @overload
    def rows(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Fill]:
        """Fills by time."""

    @overload
    def rows(self, route: Literal["GET /leverage"], *, account: str | None = None, timeout: float | None = None) -> Rows[s.LeverageSetting]:
        """The account's leverage settings."""

    @overload
    def rows(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Rows[s.Trigger]:
        """Triggers, newest first."""

    @overload
    def rows(self, route: Literal["GET /webhooks"], *, timeout: float | None = None) -> Rows[s.Webhook]:
        """The user's webhooks, oldest first."""

    @overload
    def rows(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> Rows[s.Delivery]:
        """What was delivered, newest first."""

    def rows(self, route: str, **given: Any) -> Any:

        """The rows of a list, to the last page; ``to_frame()`` makes a pandas table of them.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        ``limit`` in ``query`` is the size of a page, not of the whole.
        """

        return self._rows(route, given)

    def _rows(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    def pages(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetAlertsAnswer]:
        """Alerts, newest first."""

    @overload
    def pages(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> Pages[s.GetApprovalsAnswer]:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    def pages(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> Pages[s.GetAuditLogAnswer]:
        """The user's security-relevant actions, newest first."""

    @overload
    def pages(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetPositionsClosedAnswer]:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    def pages(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetFundingPaymentsAnswer]:
        """Funding payments, newest first, and what they come to."""

    @overload
    def pages(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetFillsByPositionIdAnswer]:
        """The fills of one position, newest first."""

    @overload
    def pages(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetLaddersAnswer]:
        """Ladders, newest first."""

    @overload
    def pages(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> Pages[s.GetNotificationChannelsByIdDeliveriesAnswer]:
        """What was sent, newest first."""

    @overload
    def pages(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> Pages[s.GetNotificationsAnswer]:
        """Notifications, newest first."""

    @overload
    def pages(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetOrdersAnswer]:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    def pages(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetPositionsAnswer]:
        """Positions, open and closed."""

    @overload
    def pages(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetSavedBasketsAnswer]:
        """The account's saved baskets, most recently updated first."""

    @overload
    def pages(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetSchedulesAnswer]:
        """Schedules, newest first, without their slices."""

    @overload
    def pages(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetExecutionsAnswer]:
        """Executions, newest first."""

    @overload
    def pages(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetFillsAnswer]:
        """Fills by time."""

    @overload
    def pages(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> Pages[s.GetTriggersAnswer]:
        """Triggers, newest first."""

    @overload
    def pages(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> Pages[s.GetWebhooksByIdDeliveriesAnswer]:
        """What was delivered, newest first."""

    def pages(self, route: str, **given: Any) -> Any:

        """The pages of a list, from ``cursor`` (or the beginning) to the last.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.
        """

        return self._pages(route, given)

    def _pages(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError


class AsyncRoutes:
    @overload
    async def call(self, route: Literal["PUT /trade-accounts/{id}/arming"], *, params: s.PutTradeAccountsByIdArmingParams, body: s.Arm, timeout: float | None = None) -> s.Arming:
        """Arm a live account, or change its limits."""

    @overload
    async def call(self, route: Literal["DELETE /trade-accounts/{id}/arming"], *, params: s.DeleteTradeAccountsByIdArmingParams, timeout: float | None = None) -> s.Arming:
        """Disarm a live account: nothing is opened on it any more."""

    @overload
    async def call(self, route: Literal["GET /trade-accounts/{id}/arming"], *, params: s.GetTradeAccountsByIdArmingParams, timeout: float | None = None) -> s.Arming:
        """Whether a live account is armed, and its limits."""

    @overload
    async def call(self, route: Literal["GET /positions/risk"], *, account: str | None = None, timeout: float | None = None) -> s.AccountRisk:
        """Exposure, margin ratio and the distance to liquidation."""

    @overload
    async def call(self, route: Literal["PUT /agents/limits"], *, body: s.ChangeHouseLimits, timeout: float | None = None) -> s.HouseLimitsKept:
        """Change the limits over all agents together."""

    @overload
    async def call(self, route: Literal["GET /agents/limits"], *, timeout: float | None = None) -> s.HouseLimitsKept:
        """Limits over all agents and keys with a mandate together."""

    @overload
    async def call(self, route: Literal["PUT /agents/{id}/mandate"], *, params: s.PutAgentsByIdMandateParams, body: s.ChangeMandate, timeout: float | None = None) -> s.Agent:
        """Change what an agent or a key may do with money."""

    @overload
    async def call(self, route: Literal["GET /agents"], *, timeout: float | None = None) -> s.GetAgentsAnswer:
        """Connected agents and API keys with their mandates, newest first."""

    @overload
    async def call(self, route: Literal["GET /agents/{id}/refused"], *, params: s.GetAgentsByIdRefusedParams, timeout: float | None = None) -> s.GetAgentsByIdRefusedAnswer:
        """What the mandate of an agent or a key has refused lately, newest first."""

    @overload
    async def call(self, route: Literal["POST /agents/pause-all"], *, timeout: float | None = None) -> s.PostAgentsPauseAllAnswer:
        """Suspend every connected agent, and every API key with a mandate."""

    @overload
    async def call(self, route: Literal["GET /agents/me"], *, timeout: float | None = None) -> s.GetAgentsMeAnswer:
        """What the caller may do, and what of it is used."""

    @overload
    async def call(self, route: Literal["POST /agents/{id}/resume"], *, params: s.PostAgentsByIdResumeParams, timeout: float | None = None) -> s.Agent:
        """Let a suspended agent or key go on within its mandate."""

    @overload
    async def call(self, route: Literal["POST /agents/{id}/suspend"], *, params: s.PostAgentsByIdSuspendParams, body: s.PostAgentsByIdSuspendBody | None = None, timeout: float | None = None) -> s.Agent:
        """Suspend an agent or a key: it opens nothing until it is resumed."""

    @overload
    async def call(self, route: Literal["POST /alerts/{id}/cancel"], *, params: s.PostAlertsByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Cancel an alert."""

    @overload
    async def call(self, route: Literal["PATCH /alerts/{id}"], *, params: s.PatchAlertsByIdParams, body: s.ChangeAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Change the level or expiry of a waiting alert."""

    @overload
    async def call(self, route: Literal["GET /alerts/{id}"], *, params: s.GetAlertsByIdParams, account: str | None = None, timeout: float | None = None) -> s.Alert:
        """One alert."""

    @overload
    async def call(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetAlertsAnswer:
        """Alerts, newest first."""

    @overload
    async def call(self, route: Literal["POST /alerts"], *, body: s.OpenAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Alert:
        """Be told when a market condition is met: nothing is traded."""

    @overload
    async def call(self, route: Literal["POST /api-keys"], *, body: s.PostApiKeysBody, timeout: float | None = None) -> s.CreatedApiKey:
        """Create an API key."""

    @overload
    async def call(self, route: Literal["GET /api-keys"], *, timeout: float | None = None) -> s.GetApiKeysAnswer:
        """The user's API keys, newest first."""

    @overload
    async def call(self, route: Literal["DELETE /api-keys/{id}"], *, params: s.DeleteApiKeysByIdParams, timeout: float | None = None) -> None:
        """Revoke an API key."""

    @overload
    async def call(self, route: Literal["POST /approvals/{id}/approve"], *, params: s.PostApprovalsByIdApproveParams, body: s.Approve, timeout: float | None = None) -> s.Approval:
        """Approve an order: it is placed as whoever asked for it would place it now."""

    @overload
    async def call(self, route: Literal["POST /approvals/{id}/deny"], *, params: s.PostApprovalsByIdDenyParams, timeout: float | None = None) -> s.Approval:
        """Deny an order: nothing is placed."""

    @overload
    async def call(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> s.GetApprovalsAnswer:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    async def call(self, route: Literal["GET /approvals/{id}"], *, params: s.GetApprovalsByIdParams, timeout: float | None = None) -> s.Approval:
        """One order that was asked about, with the prices of now."""

    @overload
    async def call(self, route: Literal["GET /approvals/mine/{id}"], *, params: s.GetApprovalsMineByIdParams, timeout: float | None = None) -> s.AskedApproval:
        """What became of an order that the caller asked for."""

    @overload
    async def call(self, route: Literal["DELETE /approvals/mine/{id}"], *, params: s.DeleteApprovalsMineByIdParams, timeout: float | None = None) -> s.AskedApproval:
        """Take back an order that waits for the user."""

    @overload
    async def call(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> s.GetAuditLogAnswer:
        """The user's security-relevant actions, newest first."""

    @overload
    async def call(self, route: Literal["DELETE /auth/sessions/{id}"], *, params: s.DeleteAuthSessionsByIdParams, timeout: float | None = None) -> None:
        """End one session."""

    @overload
    async def call(self, route: Literal["GET /auth/sessions"], *, timeout: float | None = None) -> s.GetAuthSessionsAnswer:
        """The user's sessions, newest first."""

    @overload
    async def call(self, route: Literal["POST /auth/login"], *, body: s.LoginBody, timeout: float | None = None) -> s.SignedIn:
        """Sign in with e-mail and password, or with a wallet."""

    @overload
    async def call(self, route: Literal["POST /auth/logout"], *, timeout: float | None = None) -> None:
        """End the current session."""

    @overload
    async def call(self, route: Literal["GET /auth/me"], *, timeout: float | None = None) -> s.User:
        """The signed-in user."""

    @overload
    async def call(self, route: Literal["POST /auth/nonce"], *, body: s.PostAuthNonceBody, timeout: float | None = None) -> s.WalletChallenge:
        """Get a text for a wallet to sign."""

    @overload
    async def call(self, route: Literal["POST /auth/password"], *, body: s.PostAuthPasswordBody, timeout: float | None = None) -> None:
        """Change the password."""

    @overload
    async def call(self, route: Literal["POST /auth/session/refresh"], *, body: s.PostAuthSessionRefreshBody | None = None, timeout: float | None = None) -> s.SessionTokens:
        """Exchange the refresh token for a new pair."""

    @overload
    async def call(self, route: Literal["POST /auth/register"], *, body: s.PostAuthRegisterBody, timeout: float | None = None) -> s.Registered:
        """Create a user and sign in."""

    @overload
    async def call(self, route: Literal["POST /auth/ws-ticket"], *, timeout: float | None = None) -> s.WsTicket:
        """Get a ticket for the WebSocket."""

    @overload
    async def call(self, route: Literal["DELETE /positions/{id}/auto-rebalance"], *, params: s.DeletePositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> None:
        """End it."""

    @overload
    async def call(self, route: Literal["GET /positions/{id}/auto-rebalance"], *, params: s.GetPositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None) -> s.AutoRebalance:
        """The position's configuration."""

    @overload
    async def call(self, route: Literal["PUT /positions/{id}/auto-rebalance"], *, params: s.PutPositionsByIdAutoRebalanceParams, body: s.AutoRebalanceInput, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Keep the weights of a position."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/auto-rebalance/pause"], *, params: s.PostPositionsByIdAutoRebalancePauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Pause it."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/auto-rebalance/resume"], *, params: s.PostPositionsByIdAutoRebalanceResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.AutoRebalance:
        """Resume it."""

    @overload
    async def call(self, route: Literal["GET /analytics/weights"], *, query: s.GetAnalyticsWeightsQuery, timeout: float | None = None) -> s.BasketWeights:
        """Weights of a basket: equal, neutral in volatility or beta, by hedge ratio."""

    @overload
    async def call(self, route: Literal["GET /analytics/pair/summary"], *, query: s.GetAnalyticsPairSummaryQuery, timeout: float | None = None) -> s.PairSummary:
        """A pair in one line: ratio, 24 hours, funding both ways, open interest, statistics."""

    @overload
    async def call(self, route: Literal["GET /analytics/funding"], *, query: s.GetAnalyticsFundingQuery, timeout: float | None = None) -> s.BasketFunding:
        """A basket's funding now, and over the last 7 and 30 days."""

    @overload
    async def call(self, route: Literal["POST /markets/baskets/positions"], *, body: s.CountBasketPositions, timeout: float | None = None) -> s.BasketCounts:
        """How often baskets were opened, and by how many traders."""

    @overload
    async def call(self, route: Literal["GET /markets/baskets"], *, query: s.GetMarketsBasketsQuery, timeout: float | None = None) -> s.MarketBasketList:
        """Baskets: those opened or saved here before, then every pair of tradable instruments."""

    @overload
    async def call(self, route: Literal["PUT /positions/{id}/brackets"], *, params: s.PutPositionsByIdBracketsParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PositionBrackets:
        """Set, replace or remove take-profit and stop-loss."""

    @overload
    async def call(self, route: Literal["GET /analytics/pair"], *, query: s.GetAnalyticsPairQuery, timeout: float | None = None) -> s.PairAnalytics:
        """How two instruments move together."""

    @overload
    async def call(self, route: Literal["GET /candles/basket"], *, query: s.GetCandlesBasketQuery, timeout: float | None = None) -> s.BasketCandleList:
        """Candles of a basket's ratio."""

    @overload
    async def call(self, route: Literal["GET /candles"], *, query: s.GetCandlesQuery, timeout: float | None = None) -> s.CandleList:
        """Candles of an instrument."""

    @overload
    async def call(self, route: Literal["GET /app/start"], *, timeout: float | None = None) -> s.DashboardStart:
        """Is this browser signed in, and can somebody register?."""

    @overload
    async def call(self, route: Literal["POST /auth/link"], *, body: s.PostAuthLinkBody, timeout: float | None = None) -> s.SignedIn:
        """Sign in with the link that `tandem start --open` made."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/change-account-tier"], *, body: s.PostMiscExchangeChangeAccountTierBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeChangeAccountTierAnswer:
        """Move the account to another tier."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/change-pub-key"], *, body: s.PostMiscExchangeChangePubKeyBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeChangePubKeyAnswer:
        """Submit the signed transaction that registers the key."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/create-api-key"], *, body: s.PostMiscExchangeCreateApiKeyBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeCreateApiKeyAnswer:
        """Generate a key pair and the message that the owner's wallet signs."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/create-auth-token"], *, body: s.PostMiscExchangeCreateAuthTokenBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeCreateAuthTokenAnswer:
        """Create a token for the venue's private API."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/uda"], *, body: s.PostMiscExchangeUdaBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeUdaAnswer:
        """One deposit address per chain family, all crediting the account of the wallet."""

    @overload
    async def call(self, route: Literal["GET /misc/exchange/uda/{walletAddress}"], *, params: s.GetMiscExchangeUdaByWalletAddressParams, account: str | None = None, timeout: float | None = None) -> s.GetMiscExchangeUdaByWalletAddressAnswer:
        """The deposits that the bridge has seen for the wallet."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/prepare-approve-integrator"], *, body: s.PostMiscExchangePrepareApproveIntegratorBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangePrepareApproveIntegratorAnswer:
        """Sign the approval of the integrator and get the message to sign."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/prepare-fast-withdraw"], *, body: s.PostMiscExchangePrepareFastWithdrawBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangePrepareFastWithdrawAnswer:
        """Sign a transfer to the venue's withdrawal pool and get the message to sign."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/submit-approve-integrator"], *, body: s.PostMiscExchangeSubmitApproveIntegratorBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeSubmitApproveIntegratorAnswer:
        """Submit the signed approval."""

    @overload
    async def call(self, route: Literal["POST /misc/exchange/submit-fast-withdraw"], *, body: s.PostMiscExchangeSubmitFastWithdrawBody, account: str | None = None, timeout: float | None = None) -> s.PostMiscExchangeSubmitFastWithdrawAnswer:
        """Submit the signed fast withdrawal of USDC."""

    @overload
    async def call(self, route: Literal["GET /fee"], *, query: s.GetFeeQuery, timeout: float | None = None) -> s.FeeQuote:
        """Quote the fee of a basket or of a notional."""

    @overload
    async def call(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetPositionsClosedAnswer:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    async def call(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFundingPaymentsAnswer:
        """Funding payments, newest first, and what they come to."""

    @overload
    async def call(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFillsByPositionIdAnswer:
        """The fills of one position, newest first."""

    @overload
    async def call(self, route: Literal["PATCH /integrations/{id}"], *, params: s.PatchIntegrationsByIdParams, body: s.ChangeIntegration, timeout: float | None = None) -> s.Integration:
        """Rename an integration, switch it off or on."""

    @overload
    async def call(self, route: Literal["POST /integrations"], *, body: s.CreateIntegration, timeout: float | None = None) -> s.Integration:
        """Add an integration."""

    @overload
    async def call(self, route: Literal["GET /integrations"], *, timeout: float | None = None) -> s.GetIntegrationsAnswer:
        """The user's integrations, oldest first."""

    @overload
    async def call(self, route: Literal["POST /ladders/{ladderId}/cancel"], *, params: s.PostLaddersByLadderIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Ladder:
        """Cancel the ladder and all rungs that wait."""

    @overload
    async def call(self, route: Literal["POST /ladders"], *, body: s.CreateLadder, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Ladder:
        """Stagger entries across a range."""

    @overload
    async def call(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetLaddersAnswer:
        """Ladders, newest first."""

    @overload
    async def call(self, route: Literal["GET /ladders/{ladderId}"], *, params: s.GetLaddersByLadderIdParams, account: str | None = None, timeout: float | None = None) -> s.Ladder:
        """One ladder with its rungs."""

    @overload
    async def call(self, route: Literal["GET /feeds"], *, query: s.GetFeedsQuery, timeout: float | None = None) -> s.Feeds:
        """Bitcoin dominance and prediction markets of a connector."""

    @overload
    async def call(self, route: Literal["GET /instruments/symbol-to-id-map"], *, query: s.GetInstrumentsSymbolToIdMapQuery, timeout: float | None = None) -> s.SymbolToIdMap:
        """Map of ticker to instrument ID."""

    @overload
    async def call(self, route: Literal["GET /connectors"], *, timeout: float | None = None) -> s.ConnectorList:
        """Connectors and their status."""

    @overload
    async def call(self, route: Literal["GET /funding"], *, query: s.GetFundingQuery, timeout: float | None = None) -> s.FundingList:
        """Funding rates and next funding times of all instruments of a connector."""

    @overload
    async def call(self, route: Literal["GET /instruments"], *, query: s.GetInstrumentsQuery, timeout: float | None = None) -> s.InstrumentList:
        """Instruments with their trading rules."""

    @overload
    async def call(self, route: Literal["GET /instruments/lite"], *, query: s.GetInstrumentsLiteQuery, timeout: float | None = None) -> s.InstrumentLiteList:
        """Instruments trimmed for account syncing."""

    @overload
    async def call(self, route: Literal["GET /markets"], *, query: s.GetMarketsQuery, timeout: float | None = None) -> s.MarketList:
        """Single-instrument markets, by descending 24 h volume."""

    @overload
    async def call(self, route: Literal["GET /prices"], *, query: s.GetPricesQuery, timeout: float | None = None) -> s.PriceList:
        """Latest prices of all instruments of a connector."""

    @overload
    async def call(self, route: Literal["PATCH /notification-channels/{id}"], *, params: s.PatchNotificationChannelsByIdParams, body: s.PatchNotificationChannelsByIdBody, timeout: float | None = None) -> s.NotificationChannel:
        """Change what a channel hears, or turn it off and on."""

    @overload
    async def call(self, route: Literal["DELETE /notification-channels/{id}"], *, params: s.DeleteNotificationChannelsByIdParams, timeout: float | None = None) -> None:
        """Remove a channel and its secrets."""

    @overload
    async def call(self, route: Literal["POST /notification-channels"], *, body: s.PostNotificationChannelsBody, timeout: float | None = None) -> s.NotificationChannel:
        """Send notifications to ntfy, Telegram or Discord."""

    @overload
    async def call(self, route: Literal["GET /notification-channels"], *, timeout: float | None = None) -> s.GetNotificationChannelsAnswer:
        """Where the user's notifications are sent, oldest first."""

    @overload
    async def call(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> s.GetNotificationChannelsByIdDeliveriesAnswer:
        """What was sent, newest first."""

    @overload
    async def call(self, route: Literal["POST /notification-channels/{id}/test"], *, params: s.PostNotificationChannelsByIdTestParams, timeout: float | None = None) -> s.Delivery:
        """Send a test message, once."""

    @overload
    async def call(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> s.GetNotificationsAnswer:
        """Notifications, newest first."""

    @overload
    async def call(self, route: Literal["POST /notifications/read"], *, body: s.ReadNotifications, timeout: float | None = None) -> s.PostNotificationsReadAnswer:
        """Mark one notification as read, or all up to a moment."""

    @overload
    async def call(self, route: Literal["POST /notifications/unread"], *, body: s.PostNotificationsUnreadBody, timeout: float | None = None) -> s.PostNotificationsUnreadAnswer:
        """Mark a notification as unread again."""

    @overload
    async def call(self, route: Literal["POST /interaction/{uid}/abort"], *, params: s.PostInteractionByUidAbortParams, timeout: float | None = None) -> s.ReturnTo:
        """Refuse the client."""

    @overload
    async def call(self, route: Literal["POST /interaction/{uid}/confirm"], *, params: s.PostInteractionByUidConfirmParams, body: s.PostInteractionByUidConfirmBody, timeout: float | None = None) -> s.ReturnTo:
        """Allow the client."""

    @overload
    async def call(self, route: Literal["GET /oauth2/grants/{id}/waiting"], *, params: s.GetOauth2GrantsByIdWaitingParams, timeout: float | None = None) -> s.LeftWaiting:
        """What disconnecting an agent would cancel."""

    @overload
    async def call(self, route: Literal["GET /oauth2/grants"], *, timeout: float | None = None) -> s.GetOauth2GrantsAnswer:
        """Connected agents, newest first."""

    @overload
    async def call(self, route: Literal["POST /interaction/{uid}/login"], *, params: s.PostInteractionByUidLoginParams, body: s.LoginBody, timeout: float | None = None) -> s.ReturnTo:
        """Sign in on the consent page."""

    @overload
    async def call(self, route: Literal["GET /interaction/{uid}"], *, params: s.GetInteractionByUidParams, timeout: float | None = None) -> s.OAuthInteraction:
        """What a client asks for."""

    @overload
    async def call(self, route: Literal["GET /interaction/{uid}/terms"], *, params: s.GetInteractionByUidTermsParams, timeout: float | None = None) -> s.InteractionTerms:
        """What the user can choose from on the consent page."""

    @overload
    async def call(self, route: Literal["POST /interaction/{uid}/terms"], *, params: s.PostInteractionByUidTermsParams, body: s.PostInteractionByUidTermsBody, timeout: float | None = None) -> s.SaidMandate:
        """What a mandate means, in sentences; nothing is kept."""

    @overload
    async def call(self, route: Literal["DELETE /oauth2/grants/{id}"], *, params: s.DeleteOauth2GrantsByIdParams, query: s.DeleteOauth2GrantsByIdQuery | None = None, timeout: float | None = None) -> None:
        """Disconnect an agent."""

    @overload
    async def call(self, route: Literal["GET /books"], *, query: s.GetBooksQuery, timeout: float | None = None) -> s.GetBooksAnswer:
        """The best levels of order books."""

    @overload
    async def call(self, route: Literal["POST /orders/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CancelReport:
        """Cancel all of the account's open orders."""

    @overload
    async def call(self, route: Literal["POST /orders/{id}/cancel"], *, params: s.PostOrdersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Order:
        """Cancel what has not filled yet."""

    @overload
    async def call(self, route: Literal["GET /orders/{id}"], *, params: s.GetOrdersByIdParams, account: str | None = None, timeout: float | None = None) -> s.Order:
        """One order."""

    @overload
    async def call(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetOrdersAnswer:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    async def call(self, route: Literal["DELETE /trade-accounts/{id}/paper/faults/{faultId}"], *, params: s.DeleteTradeAccountsByIdPaperFaultsByFaultIdParams, timeout: float | None = None) -> None:
        """End one fault."""

    @overload
    async def call(self, route: Literal["DELETE /trade-accounts/{id}/paper/faults"], *, params: s.DeleteTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> s.DeleteTradeAccountsByIdPaperFaultsAnswer:
        """End all faults of a paper account."""

    @overload
    async def call(self, route: Literal["GET /trade-accounts/{id}/paper/faults"], *, params: s.GetTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> s.GetTradeAccountsByIdPaperFaultsAnswer:
        """The faults that are on, oldest first."""

    @overload
    async def call(self, route: Literal["POST /trade-accounts/{id}/paper/faults"], *, params: s.PostTradeAccountsByIdPaperFaultsParams, body: s.PostTradeAccountsByIdPaperFaultsBody | s.PostTradeAccountsByIdPaperFaultsBody2 | s.PostTradeAccountsByIdPaperFaultsBody3 | s.PostTradeAccountsByIdPaperFaultsBody4 | s.PostTradeAccountsByIdPaperFaultsBody5, timeout: float | None = None) -> s.PaperFault:
        """Put a fault on a paper account."""

    @overload
    async def call(self, route: Literal["GET /portfolio"], *, query: s.GetPortfolioQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.Portfolio:
        """The account's result over a range, with buckets."""

    @overload
    async def call(self, route: Literal["GET /portfolio/analytics"], *, query: s.GetPortfolioAnalyticsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.PortfolioAnalytics:
        """Risk metrics, instruments, baskets and the daily series."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/margin"], *, params: s.PostPositionsByIdMarginParams, body: s.ChangeMargin, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.MarginChange:
        """Add margin to an isolated leg, or take some out."""

    @overload
    async def call(self, route: Literal["POST /positions/close-all"], *, body: s.CloseAllPositions | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CloseAllReport:
        """Close all of the account's positions."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/reverse"], *, params: s.PostPositionsByIdReverseParams, body: s.ReversePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.ReversePlaced:
        """Close a position and open its opposite in the same quantities."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/adjust/plan"], *, params: s.PostPositionsByIdAdjustPlanParams, body: s.PlanAdjust, account: str | None = None, timeout: float | None = None) -> s.AdjustPlan:
        """What an increase or a reduction would do now."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/brackets/plan"], *, params: s.PostPositionsByIdBracketsPlanParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None) -> s.BracketsPlan:
        """Protection by take-profit and stop-loss before they are set."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/close/plan"], *, params: s.PostPositionsByIdClosePlanParams, body: s.PlanClose | None = None, account: str | None = None, timeout: float | None = None) -> s.ClosePlan:
        """What a close, or the close of a share, would do now."""

    @overload
    async def call(self, route: Literal["POST /positions/close-all/plan"], *, body: s.PlanCloseAll | None = None, account: str | None = None, timeout: float | None = None) -> s.CloseAllPlan:
        """What closing all of the account's positions would do now."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/reverse/plan"], *, params: s.PostPositionsByIdReversePlanParams, body: s.PlanReverse | None = None, account: str | None = None, timeout: float | None = None) -> s.ReversePlan:
        """What a reversal would do now."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/adjust"], *, params: s.PostPositionsByIdAdjustParams, body: s.AdjustPosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.OrderPlaced:
        """Increase or reduce a position."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/close"], *, params: s.PostPositionsByIdCloseParams, body: s.ClosePosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.RestingClose | s.OrderPlaced:
        """Close a position, or a fraction of it: now, in slices, or when a condition is met."""

    @overload
    async def call(self, route: Literal["GET /positions/{id}"], *, params: s.GetPositionsByIdParams, account: str | None = None, timeout: float | None = None) -> s.Position:
        """One position."""

    @overload
    async def call(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetPositionsAnswer:
        """Positions, open and closed."""

    @overload
    async def call(self, route: Literal["GET /positions/lite"], *, account: str | None = None, timeout: float | None = None) -> s.GetPositionsLiteAnswer:
        """Open positions, minimal fields."""

    @overload
    async def call(self, route: Literal["POST /trade/open"], *, body: s.OpenTrade, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PlanAnswer | s.OpenPlaced:
        """Open a basket at market, or add to the open one."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/rebalance/plan"], *, params: s.PostPositionsByIdRebalancePlanParams, body: s.PlanRebalance | None = None, account: str | None = None, timeout: float | None = None) -> s.RebalancePlan:
        """What a rebalance would trade now."""

    @overload
    async def call(self, route: Literal["POST /positions/{id}/rebalance"], *, params: s.PostPositionsByIdRebalanceParams, body: s.RebalancePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.OrderPlaced:
        """Rebalance now."""

    @overload
    async def call(self, route: Literal["GET /safety"], *, timeout: float | None = None) -> s.Safety:
        """Are new orders accepted?."""

    @overload
    async def call(self, route: Literal["POST /safety/panic"], *, body: s.Panic, timeout: float | None = None, idempotency_key: str | None = None) -> s.PanicReport:
        """Pause, cancel everything that waits and close every position of all of the user's accounts."""

    @overload
    async def call(self, route: Literal["POST /safety/pause"], *, timeout: float | None = None, idempotency_key: str | None = None) -> s.Safety:
        """No new orders on any of the user's accounts."""

    @overload
    async def call(self, route: Literal["GET /safety/panic/plan"], *, query: s.GetSafetyPanicPlanQuery | None = None, timeout: float | None = None) -> s.PanicPlan:
        """What closing everything would close now."""

    @overload
    async def call(self, route: Literal["POST /safety/resume"], *, timeout: float | None = None, idempotency_key: str | None = None) -> s.Safety:
        """Accept new orders again."""

    @overload
    async def call(self, route: Literal["PATCH /saved-baskets/{id}"], *, params: s.PatchSavedBasketsByIdParams, body: s.ChangeSavedBasket, account: str | None = None, timeout: float | None = None) -> s.SavedBasket:
        """Rename a saved basket or replace its legs."""

    @overload
    async def call(self, route: Literal["DELETE /saved-baskets/{id}"], *, params: s.DeleteSavedBasketsByIdParams, account: str | None = None, timeout: float | None = None) -> None:
        """Delete a saved basket."""

    @overload
    async def call(self, route: Literal["POST /saved-baskets"], *, body: s.CreateSavedBasket, account: str | None = None, timeout: float | None = None) -> s.SavedBasket:
        """Save a basket."""

    @overload
    async def call(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetSavedBasketsAnswer:
        """The account's saved baskets, most recently updated first."""

    @overload
    async def call(self, route: Literal["POST /schedules/{id}/cancel"], *, params: s.PostSchedulesByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Cancel what has not been sent."""

    @overload
    async def call(self, route: Literal["POST /schedules"], *, body: s.CreateSchedule, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Split a basket into timed slices (TWAP)."""

    @overload
    async def call(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetSchedulesAnswer:
        """Schedules, newest first, without their slices."""

    @overload
    async def call(self, route: Literal["GET /schedules/{id}"], *, params: s.GetSchedulesByIdParams, account: str | None = None, timeout: float | None = None) -> s.Schedule:
        """One schedule with its slices."""

    @overload
    async def call(self, route: Literal["POST /schedules/{id}/pause"], *, params: s.PostSchedulesByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Send no more slices until it is resumed."""

    @overload
    async def call(self, route: Literal["POST /schedules/{id}/resume"], *, params: s.PostSchedulesByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Schedule:
        """Go on with the slices that are left."""

    @overload
    async def call(self, route: Literal["GET /analytics/screener"], *, query: s.GetAnalyticsScreenerQuery, timeout: float | None = None) -> s.Screener:
        """Statistics of every pair of the most traded instruments."""

    @overload
    async def call(self, route: Literal["GET /sync/differences"], *, timeout: float | None = None) -> s.GetSyncDifferencesAnswer:
        """What the baskets do not explain, of each account."""

    @overload
    async def call(self, route: Literal["GET /fills/provisionals-lite"], *, account: str | None = None, timeout: float | None = None) -> s.GetFillsProvisionalsLiteAnswer:
        """Provisional fills, minimal fields, oldest first."""

    @overload
    async def call(self, route: Literal["GET /sync/reviews"], *, account: str | None = None, timeout: float | None = None) -> s.GetSyncReviewsAnswer:
        """Fills that came with the id of another trade, oldest first."""

    @overload
    async def call(self, route: Literal["GET /positions/unassigned"], *, account: str | None = None, timeout: float | None = None) -> s.GetPositionsUnassignedAnswer:
        """What the account holds in no basket, by instrument, oldest first."""

    @overload
    async def call(self, route: Literal["POST /trade-accounts/{id}/paper/outside-order"], *, params: s.PostTradeAccountsByIdPaperOutsideOrderParams, body: s.PaperOutsideOrder, timeout: float | None = None, idempotency_key: str | None = None) -> s.PaperOutsideOrderOutcome:
        """Trade a paper account past Tandem."""

    @overload
    async def call(self, route: Literal["POST /sync/positions/plan"], *, body: s.PlanSyncPosition, account: str | None = None, timeout: float | None = None) -> s.SyncPositionPlan:
        """What a position would be with what was traded past Tandem."""

    @overload
    async def call(self, route: Literal["POST /sync/reviews/resolve"], *, body: s.ResolveReviews | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.PostSyncReviewsResolveAnswer:
        """Say that the account was compared with the venue."""

    @overload
    async def call(self, route: Literal["POST /sync"], *, body: s.SyncRequest | None = None, account: str | None = None, timeout: float | None = None) -> s.SyncReport:
        """Pull the account's fills, orders and positions from the venue now."""

    @overload
    async def call(self, route: Literal["POST /sync/positions"], *, body: s.SyncPositionRequest, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Position:
        """Make a position of what was traded past Tandem."""

    @overload
    async def call(self, route: Literal["GET /health"], *, timeout: float | None = None) -> s.Health:
        """Liveness."""

    @overload
    async def call(self, route: Literal["GET /openapi.json"], *, timeout: float | None = None) -> dict[str, Any]:
        """This description, as OpenAPI 3.1."""

    @overload
    async def call(self, route: Literal["GET /ready"], *, timeout: float | None = None) -> s.Readiness:
        """Readiness of storage, keychain and connectors."""

    @overload
    async def call(self, route: Literal["GET /version"], *, timeout: float | None = None) -> s.Version:
        """Version of the gateway and of its API."""

    @overload
    async def call(self, route: Literal["PATCH /trade-accounts/{id}"], *, params: s.PatchTradeAccountsByIdParams, body: s.PatchTradeAccountsByIdBody, timeout: float | None = None) -> s.TradeAccount:
        """Rename a trade account or replace its metadata."""

    @overload
    async def call(self, route: Literal["GET /trade-accounts/{id}"], *, params: s.GetTradeAccountsByIdParams, timeout: float | None = None) -> s.TradeAccount:
        """One trade account with its checks."""

    @overload
    async def call(self, route: Literal["DELETE /trade-accounts/{id}"], *, params: s.DeleteTradeAccountsByIdParams, timeout: float | None = None) -> None:
        """Remove a trade account and its credentials."""

    @overload
    async def call(self, route: Literal["POST /trade-accounts"], *, body: s.PostTradeAccountsBody, timeout: float | None = None) -> s.TradeAccount:
        """Add a trade account."""

    @overload
    async def call(self, route: Literal["GET /trade-accounts"], *, timeout: float | None = None) -> s.GetTradeAccountsAnswer:
        """The trade accounts that the caller reaches, oldest first."""

    @overload
    async def call(self, route: Literal["POST /trade-accounts/{id}/credentials"], *, params: s.PostTradeAccountsByIdCredentialsParams, timeout: float | None = None) -> s.StoredCredentials:
        """Read the account's own decrypted venue credentials."""

    @overload
    async def call(self, route: Literal["DELETE /trade-accounts/{id}/credentials"], *, params: s.DeleteTradeAccountsByIdCredentialsParams, timeout: float | None = None) -> None:
        """Remove the stored venue credentials."""

    @overload
    async def call(self, route: Literal["PUT /trade-accounts/{id}/credentials"], *, params: s.PutTradeAccountsByIdCredentialsParams, body: s.VenueCredentials, timeout: float | None = None) -> s.TradeAccount:
        """Store venue credentials."""

    @overload
    async def call(self, route: Literal["POST /trade-accounts/{id}/paper/reset"], *, params: s.PostTradeAccountsByIdPaperResetParams, timeout: float | None = None, idempotency_key: str | None = None) -> s.TradeAccount:
        """Set a paper account back to its starting balance."""

    @overload
    async def call(self, route: Literal["GET /executions/{id}"], *, params: s.GetExecutionsByIdParams, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsByIdAnswer:
        """One execution, whatever its status: the way to read a failure reason."""

    @overload
    async def call(self, route: Literal["GET /executions/by-key"], *, query: s.GetExecutionsByKeyQuery, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsByKeyAnswer:
        """The execution that was acknowledged under an `Idempotency-Key`."""

    @overload
    async def call(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetExecutionsAnswer:
        """Executions, newest first."""

    @overload
    async def call(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetFillsAnswer:
        """Fills by time."""

    @overload
    async def call(self, route: Literal["GET /leverage"], *, account: str | None = None, timeout: float | None = None) -> s.GetLeverageAnswer:
        """The account's leverage settings."""

    @overload
    async def call(self, route: Literal["PUT /leverage"], *, body: s.PutLeverage, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Empty:
        """Set leverage and margin mode of an instrument."""

    @overload
    async def call(self, route: Literal["POST /triggers/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.CancelReport:
        """Cancel all of the account's waiting triggers, brackets and rungs included."""

    @overload
    async def call(self, route: Literal["POST /triggers/{id}/cancel"], *, params: s.PostTriggersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Cancel a trigger."""

    @overload
    async def call(self, route: Literal["PATCH /triggers/{id}"], *, params: s.PatchTriggersByIdParams, body: s.ChangeTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Change the level, expiry or brackets of a waiting trigger."""

    @overload
    async def call(self, route: Literal["GET /triggers/{id}"], *, params: s.GetTriggersByIdParams, account: str | None = None, timeout: float | None = None) -> s.Trigger:
        """One trigger."""

    @overload
    async def call(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> s.GetTriggersAnswer:
        """Triggers, newest first."""

    @overload
    async def call(self, route: Literal["POST /triggers/open"], *, body: s.OpenTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Open a basket when a market condition is met."""

    @overload
    async def call(self, route: Literal["POST /triggers/{id}/pause"], *, params: s.PostTriggersByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Stop watching until it is resumed."""

    @overload
    async def call(self, route: Literal["POST /triggers/{id}/resume"], *, params: s.PostTriggersByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None) -> s.Trigger:
        """Watch again."""

    @overload
    async def call(self, route: Literal["GET /connectors/{id}/check"], *, params: s.GetConnectorsByIdCheckParams, timeout: float | None = None) -> s.VenueCheck:
        """What the last check of a live venue found."""

    @overload
    async def call(self, route: Literal["POST /connectors/{id}/check"], *, params: s.PostConnectorsByIdCheckParams, body: s.PostConnectorsByIdCheckBody, timeout: float | None = None) -> s.VenueCheck:
        """Check whether everything works that trading at a live venue needs."""

    @overload
    async def call(self, route: Literal["DELETE /connectors/{id}/wallet-approvals/{approvalId}"], *, params: s.DeleteConnectorsByIdWalletApprovalsByApprovalIdParams, timeout: float | None = None) -> None:
        """Erase a key that was not approved."""

    @overload
    async def call(self, route: Literal["POST /connectors/{id}/wallet-approvals/{approvalId}"], *, params: s.PostConnectorsByIdWalletApprovalsByApprovalIdParams, body: s.PostConnectorsByIdWalletApprovalsByApprovalIdBody, timeout: float | None = None) -> s.TradeAccount:
        """Connect the account with the signature of its wallet."""

    @overload
    async def call(self, route: Literal["POST /connectors/{id}/wallet-approvals"], *, params: s.PostConnectorsByIdWalletApprovalsParams, body: s.PostConnectorsByIdWalletApprovalsBody, timeout: float | None = None) -> s.WalletApproval:
        """Make a trading key that a browser wallet approves."""

    @overload
    async def call(self, route: Literal["PATCH /webhooks/{id}"], *, params: s.PatchWebhooksByIdParams, body: s.PatchWebhooksByIdBody, timeout: float | None = None) -> s.Webhook:
        """Change a webhook, or turn it off and on."""

    @overload
    async def call(self, route: Literal["GET /webhooks/{id}"], *, params: s.GetWebhooksByIdParams, timeout: float | None = None) -> s.Webhook:
        """One webhook."""

    @overload
    async def call(self, route: Literal["DELETE /webhooks/{id}"], *, params: s.DeleteWebhooksByIdParams, timeout: float | None = None) -> None:
        """Remove a webhook, its secret and its log."""

    @overload
    async def call(self, route: Literal["POST /webhooks"], *, body: s.PostWebhooksBody, timeout: float | None = None) -> s.CreatedWebhook:
        """Send events to an address."""

    @overload
    async def call(self, route: Literal["GET /webhooks"], *, timeout: float | None = None) -> s.GetWebhooksAnswer:
        """The user's webhooks, oldest first."""

    @overload
    async def call(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> s.GetWebhooksByIdDeliveriesAnswer:
        """What was delivered, newest first."""

    @overload
    async def call(self, route: Literal["POST /webhooks/{id}/deliveries/{deliveryId}/redeliver"], *, params: s.PostWebhooksByIdDeliveriesByDeliveryIdRedeliverParams, timeout: float | None = None) -> s.Delivery:
        """Send an event again."""

    @overload
    async def call(self, route: Literal["POST /webhooks/{id}/rotate-secret"], *, params: s.PostWebhooksByIdRotateSecretParams, body: s.PostWebhooksByIdRotateSecretBody, timeout: float | None = None) -> s.RotatedSecret:
        """Give a webhook a new secret."""

    @overload
    async def call(self, route: Literal["POST /webhooks/{id}/test"], *, params: s.PostWebhooksByIdTestParams, timeout: float | None = None) -> s.Delivery:
        """Send a test event, once."""

    async def call(self, route: str, **given: Any) -> Any:

        """One request, by the name of its route: ``call("GET /positions/{id}", params={"id": id})``.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        Tried once: while the gateway restarts it ends with ``GatewayUnreachable`` at once.
        """

        return await self._call(route, given)

    async def _call(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    async def place(self, route: Literal["POST /alerts/{id}/cancel"], *, params: s.PostAlertsByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Cancel an alert."""

    @overload
    async def place(self, route: Literal["PATCH /alerts/{id}"], *, params: s.PatchAlertsByIdParams, body: s.ChangeAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Change the level or expiry of a waiting alert."""

    @overload
    async def place(self, route: Literal["POST /alerts"], *, body: s.OpenAlert, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Alert:
        """Be told when a market condition is met: nothing is traded."""

    @overload
    async def place(self, route: Literal["DELETE /positions/{id}/auto-rebalance"], *, params: s.DeletePositionsByIdAutoRebalanceParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> None:
        """End it."""

    @overload
    async def place(self, route: Literal["PUT /positions/{id}/auto-rebalance"], *, params: s.PutPositionsByIdAutoRebalanceParams, body: s.AutoRebalanceInput, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Keep the weights of a position."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/auto-rebalance/pause"], *, params: s.PostPositionsByIdAutoRebalancePauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Pause it."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/auto-rebalance/resume"], *, params: s.PostPositionsByIdAutoRebalanceResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.AutoRebalance:
        """Resume it."""

    @overload
    async def place(self, route: Literal["PUT /positions/{id}/brackets"], *, params: s.PutPositionsByIdBracketsParams, body: s.PutBrackets, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PositionBrackets:
        """Set, replace or remove take-profit and stop-loss."""

    @overload
    async def place(self, route: Literal["POST /ladders/{ladderId}/cancel"], *, params: s.PostLaddersByLadderIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Ladder:
        """Cancel the ladder and all rungs that wait."""

    @overload
    async def place(self, route: Literal["POST /ladders"], *, body: s.CreateLadder, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Ladder:
        """Stagger entries across a range."""

    @overload
    async def place(self, route: Literal["POST /orders/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CancelReport:
        """Cancel all of the account's open orders."""

    @overload
    async def place(self, route: Literal["POST /orders/{id}/cancel"], *, params: s.PostOrdersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Order:
        """Cancel what has not filled yet."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/margin"], *, params: s.PostPositionsByIdMarginParams, body: s.ChangeMargin, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.MarginChange:
        """Add margin to an isolated leg, or take some out."""

    @overload
    async def place(self, route: Literal["POST /positions/close-all"], *, body: s.CloseAllPositions | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CloseAllReport:
        """Close all of the account's positions."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/reverse"], *, params: s.PostPositionsByIdReverseParams, body: s.ReversePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.ReversePlaced:
        """Close a position and open its opposite in the same quantities."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/adjust"], *, params: s.PostPositionsByIdAdjustParams, body: s.AdjustPosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Increase or reduce a position."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/close"], *, params: s.PostPositionsByIdCloseParams, body: s.ClosePosition, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Close a position, or a fraction of it: now, in slices, or when a condition is met."""

    @overload
    async def place(self, route: Literal["POST /trade/open"], *, body: s.OpenTrade, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OpenPlaced:
        """Open a basket at market, or add to the open one."""

    @overload
    async def place(self, route: Literal["POST /positions/{id}/rebalance"], *, params: s.PostPositionsByIdRebalanceParams, body: s.RebalancePosition | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.OrderPlaced:
        """Rebalance now."""

    @overload
    async def place(self, route: Literal["POST /safety/panic"], *, body: s.Panic, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PanicReport:
        """Pause, cancel everything that waits and close every position of all of the user's accounts."""

    @overload
    async def place(self, route: Literal["POST /safety/pause"], *, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Safety:
        """No new orders on any of the user's accounts."""

    @overload
    async def place(self, route: Literal["POST /safety/resume"], *, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Safety:
        """Accept new orders again."""

    @overload
    async def place(self, route: Literal["POST /schedules/{id}/cancel"], *, params: s.PostSchedulesByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Cancel what has not been sent."""

    @overload
    async def place(self, route: Literal["POST /schedules"], *, body: s.CreateSchedule, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Split a basket into timed slices (TWAP)."""

    @overload
    async def place(self, route: Literal["POST /schedules/{id}/pause"], *, params: s.PostSchedulesByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Send no more slices until it is resumed."""

    @overload
    async def place(self, route: Literal["POST /schedules/{id}/resume"], *, params: s.PostSchedulesByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Schedule:
        """Go on with the slices that are left."""

    @overload
    async def place(self, route: Literal["POST /trade-accounts/{id}/paper/outside-order"], *, params: s.PostTradeAccountsByIdPaperOutsideOrderParams, body: s.PaperOutsideOrder, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PaperOutsideOrderOutcome:
        """Trade a paper account past Tandem."""

    @overload
    async def place(self, route: Literal["POST /sync/reviews/resolve"], *, body: s.ResolveReviews | None = None, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.PostSyncReviewsResolveAnswer:
        """Say that the account was compared with the venue."""

    @overload
    async def place(self, route: Literal["POST /sync/positions"], *, body: s.SyncPositionRequest, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Position:
        """Make a position of what was traded past Tandem."""

    @overload
    async def place(self, route: Literal["POST /trade-accounts/{id}/paper/reset"], *, params: s.PostTradeAccountsByIdPaperResetParams, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.TradeAccount:
        """Set a paper account back to its starting balance."""

    @overload
    async def place(self, route: Literal["PUT /leverage"], *, body: s.PutLeverage, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Empty:
        """Set leverage and margin mode of an instrument."""

    @overload
    async def place(self, route: Literal["POST /triggers/cancel-all"], *, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.CancelReport:
        """Cancel all of the account's waiting triggers, brackets and rungs included."""

    @overload
    async def place(self, route: Literal["POST /triggers/{id}/cancel"], *, params: s.PostTriggersByIdCancelParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Cancel a trigger."""

    @overload
    async def place(self, route: Literal["PATCH /triggers/{id}"], *, params: s.PatchTriggersByIdParams, body: s.ChangeTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Change the level, expiry or brackets of a waiting trigger."""

    @overload
    async def place(self, route: Literal["POST /triggers/open"], *, body: s.OpenTrigger, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Open a basket when a market condition is met."""

    @overload
    async def place(self, route: Literal["POST /triggers/{id}/pause"], *, params: s.PostTriggersByIdPauseParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Stop watching until it is resumed."""

    @overload
    async def place(self, route: Literal["POST /triggers/{id}/resume"], *, params: s.PostTriggersByIdResumeParams, account: str | None = None, timeout: float | None = None, idempotency_key: str | None = None, give_up_after: float | None = None) -> s.Trigger:
        """Watch again."""

    async def place(self, route: str, **given: Any) -> Any:

        """Places an order once, whatever is lost on the way. The answer says that it is on disk, not that it is filled: see ``ended``.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        ``idempotency_key``: default a random one; a key of your own, written down before, lets a program that died go on. A key belongs to one attempt: sent again within 24 hours it gets the first answer, also where that order failed.

        ``give_up_after``: seconds without an answer, default 60. Raises a ``Refusal`` when the gateway refuses (``ResourceBusy``: another action runs; wait for it and send again, the same key may be used); ``GatewayUnreachable`` when nothing was sent; ``OutcomeUnknown`` when it is not known.
        """

        return await self._place(route, given)

    async def _place(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    def rows(self, route: Literal["GET /agents/{id}/refused"], *, params: s.GetAgentsByIdRefusedParams, timeout: float | None = None) -> AsyncRows[s.RefusedAttempt]:
        """What the mandate of an agent or a key has refused lately, newest first."""

    @overload
    def rows(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Alert]:
        """Alerts, newest first."""

    @overload
    def rows(self, route: Literal["GET /api-keys"], *, timeout: float | None = None) -> AsyncRows[s.ApiKey]:
        """The user's API keys, newest first."""

    @overload
    def rows(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> AsyncRows[s.Approval]:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    def rows(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> AsyncRows[s.AuditEntry]:
        """The user's security-relevant actions, newest first."""

    @overload
    def rows(self, route: Literal["GET /auth/sessions"], *, timeout: float | None = None) -> AsyncRows[s.Session]:
        """The user's sessions, newest first."""

    @overload
    def rows(self, route: Literal["GET /candles/basket"], *, query: s.GetCandlesBasketQuery, timeout: float | None = None) -> AsyncRows[s.Candle]:
        """Candles of a basket's ratio."""

    @overload
    def rows(self, route: Literal["GET /candles"], *, query: s.GetCandlesQuery, timeout: float | None = None) -> AsyncRows[s.Candle]:
        """Candles of an instrument."""

    @overload
    def rows(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.ClosedTrade]:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    def rows(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.FundingPayment]:
        """Funding payments, newest first, and what they come to."""

    @overload
    def rows(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Fill]:
        """The fills of one position, newest first."""

    @overload
    def rows(self, route: Literal["GET /integrations"], *, timeout: float | None = None) -> AsyncRows[s.Integration]:
        """The user's integrations, oldest first."""

    @overload
    def rows(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Ladder]:
        """Ladders, newest first."""

    @overload
    def rows(self, route: Literal["GET /funding"], *, query: s.GetFundingQuery, timeout: float | None = None) -> AsyncRows[s.Funding]:
        """Funding rates and next funding times of all instruments of a connector."""

    @overload
    def rows(self, route: Literal["GET /instruments"], *, query: s.GetInstrumentsQuery, timeout: float | None = None) -> AsyncRows[s.Instrument]:
        """Instruments with their trading rules."""

    @overload
    def rows(self, route: Literal["GET /instruments/lite"], *, query: s.GetInstrumentsLiteQuery, timeout: float | None = None) -> AsyncRows[s.InstrumentLite]:
        """Instruments trimmed for account syncing."""

    @overload
    def rows(self, route: Literal["GET /prices"], *, query: s.GetPricesQuery, timeout: float | None = None) -> AsyncRows[s.Price]:
        """Latest prices of all instruments of a connector."""

    @overload
    def rows(self, route: Literal["GET /notification-channels"], *, timeout: float | None = None) -> AsyncRows[s.NotificationChannel]:
        """Where the user's notifications are sent, oldest first."""

    @overload
    def rows(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> AsyncRows[s.Delivery]:
        """What was sent, newest first."""

    @overload
    def rows(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> AsyncRows[s.Notification]:
        """Notifications, newest first."""

    @overload
    def rows(self, route: Literal["GET /oauth2/grants"], *, timeout: float | None = None) -> AsyncRows[s.OAuthGrant]:
        """Connected agents, newest first."""

    @overload
    def rows(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Order]:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    def rows(self, route: Literal["GET /trade-accounts/{id}/paper/faults"], *, params: s.GetTradeAccountsByIdPaperFaultsParams, timeout: float | None = None) -> AsyncRows[s.PaperFault]:
        """The faults that are on, oldest first."""

    @overload
    def rows(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Position]:
        """Positions, open and closed."""

    @overload
    def rows(self, route: Literal["GET /positions/lite"], *, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.PositionLite]:
        """Open positions, minimal fields."""

    @overload
    def rows(self, route: Literal["GET /safety/panic/plan"], *, query: s.GetSafetyPanicPlanQuery | None = None, timeout: float | None = None) -> AsyncRows[s.PanicPlanAccountsItem]:
        """What closing everything would close now."""

    @overload
    def rows(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.SavedBasket]:
        """The account's saved baskets, most recently updated first."""

    @overload
    def rows(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.ScheduleSummary]:
        """Schedules, newest first, without their slices."""

    @overload
    def rows(self, route: Literal["GET /sync/differences"], *, timeout: float | None = None) -> AsyncRows[s.AccountDifferences]:
        """What the baskets do not explain, of each account."""

    @overload
    def rows(self, route: Literal["GET /fills/provisionals-lite"], *, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.ProvisionalFill]:
        """Provisional fills, minimal fields, oldest first."""

    @overload
    def rows(self, route: Literal["GET /sync/reviews"], *, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.FillReview]:
        """Fills that came with the id of another trade, oldest first."""

    @overload
    def rows(self, route: Literal["GET /positions/unassigned"], *, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.UnassignedHolding]:
        """What the account holds in no basket, by instrument, oldest first."""

    @overload
    def rows(self, route: Literal["GET /trade-accounts"], *, timeout: float | None = None) -> AsyncRows[s.TradeAccount]:
        """The trade accounts that the caller reaches, oldest first."""

    @overload
    def rows(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Execution]:
        """Executions, newest first."""

    @overload
    def rows(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Fill]:
        """Fills by time."""

    @overload
    def rows(self, route: Literal["GET /leverage"], *, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.LeverageSetting]:
        """The account's leverage settings."""

    @overload
    def rows(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncRows[s.Trigger]:
        """Triggers, newest first."""

    @overload
    def rows(self, route: Literal["GET /webhooks"], *, timeout: float | None = None) -> AsyncRows[s.Webhook]:
        """The user's webhooks, oldest first."""

    @overload
    def rows(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> AsyncRows[s.Delivery]:
        """What was delivered, newest first."""

    def rows(self, route: str, **given: Any) -> Any:

        """The rows of a list, to the last page; ``to_frame()`` makes a pandas table of them.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.

        ``limit`` in ``query`` is the size of a page, not of the whole.
        """

        return self._rows(route, given)

    def _rows(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError

    @overload
    def pages(self, route: Literal["GET /alerts"], *, query: s.GetAlertsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetAlertsAnswer]:
        """Alerts, newest first."""

    @overload
    def pages(self, route: Literal["GET /approvals"], *, query: s.GetApprovalsQuery | None = None, timeout: float | None = None) -> AsyncPages[s.GetApprovalsAnswer]:
        """Orders that were asked about: those that wait first, then the newest."""

    @overload
    def pages(self, route: Literal["GET /audit-log"], *, query: s.GetAuditLogQuery | None = None, timeout: float | None = None) -> AsyncPages[s.GetAuditLogAnswer]:
        """The user's security-relevant actions, newest first."""

    @overload
    def pages(self, route: Literal["GET /positions/closed"], *, query: s.GetPositionsClosedQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetPositionsClosedAnswer]:
        """Closed positions with what each leg was entered and left at, newest close first."""

    @overload
    def pages(self, route: Literal["GET /funding/payments"], *, query: s.GetFundingPaymentsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetFundingPaymentsAnswer]:
        """Funding payments, newest first, and what they come to."""

    @overload
    def pages(self, route: Literal["GET /fills/{positionId}"], *, params: s.GetFillsByPositionIdParams, query: s.GetFillsByPositionIdQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetFillsByPositionIdAnswer]:
        """The fills of one position, newest first."""

    @overload
    def pages(self, route: Literal["GET /ladders"], *, query: s.GetLaddersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetLaddersAnswer]:
        """Ladders, newest first."""

    @overload
    def pages(self, route: Literal["GET /notification-channels/{id}/deliveries"], *, params: s.GetNotificationChannelsByIdDeliveriesParams, query: s.GetNotificationChannelsByIdDeliveriesQuery | None = None, timeout: float | None = None) -> AsyncPages[s.GetNotificationChannelsByIdDeliveriesAnswer]:
        """What was sent, newest first."""

    @overload
    def pages(self, route: Literal["GET /notifications"], *, query: s.GetNotificationsQuery | None = None, timeout: float | None = None) -> AsyncPages[s.GetNotificationsAnswer]:
        """Notifications, newest first."""

    @overload
    def pages(self, route: Literal["GET /orders"], *, query: s.GetOrdersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetOrdersAnswer]:
        """Orders, newest execution first, of one execution in the order of its legs."""

    @overload
    def pages(self, route: Literal["GET /positions"], *, query: s.GetPositionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetPositionsAnswer]:
        """Positions, open and closed."""

    @overload
    def pages(self, route: Literal["GET /saved-baskets"], *, query: s.GetSavedBasketsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetSavedBasketsAnswer]:
        """The account's saved baskets, most recently updated first."""

    @overload
    def pages(self, route: Literal["GET /schedules"], *, query: s.GetSchedulesQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetSchedulesAnswer]:
        """Schedules, newest first, without their slices."""

    @overload
    def pages(self, route: Literal["GET /executions"], *, query: s.GetExecutionsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetExecutionsAnswer]:
        """Executions, newest first."""

    @overload
    def pages(self, route: Literal["GET /fills"], *, query: s.GetFillsQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetFillsAnswer]:
        """Fills by time."""

    @overload
    def pages(self, route: Literal["GET /triggers"], *, query: s.GetTriggersQuery | None = None, account: str | None = None, timeout: float | None = None) -> AsyncPages[s.GetTriggersAnswer]:
        """Triggers, newest first."""

    @overload
    def pages(self, route: Literal["GET /webhooks/{id}/deliveries"], *, params: s.GetWebhooksByIdDeliveriesParams, query: s.GetWebhooksByIdDeliveriesQuery | None = None, timeout: float | None = None) -> AsyncPages[s.GetWebhooksByIdDeliveriesAnswer]:
        """What was delivered, newest first."""

    def pages(self, route: str, **given: Any) -> Any:

        """The pages of a list, from ``cursor`` (or the beginning) to the last.

        ``params``, ``query``, ``body``: as the route takes them; the types are in ``tandem_client.schemas``. ``account``: another trade account than the client’s. ``timeout``: seconds of one request.
        """

        return self._pages(route, given)

    def _pages(self, route: str, given: dict[str, Any]) -> Any:

        raise NotImplementedError
