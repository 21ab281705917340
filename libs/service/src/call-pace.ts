/**
 * While this many calls have just begun, items wait for the next call. Two calls keep both sides busy: one side answers
 * one while the other side prepares the next.
 */
const youngCalls = 2;
/** This many items are sent without further waiting. */
const gathered = 32;
/** A call counts as just begun for this time, in milliseconds: a slow call must not delay the items of others. */
const youngMs = 5;

/** Decides when calls with many items each begin. */
export interface CallPace {
  /** Whether a call may begin for this number of items. */
  mayCall(items: number): boolean;
  /** Counts a new call; call the returned function when it has ended. */
  begin(): () => void;
}

/** `onRoom` is called when a further call may begin while others are still running. */
export function createCallPace(onRoom: () => void): CallPace {
  let young = 0;
  return {
    mayCall: (items) => young < youngCalls || items >= gathered,
    begin() {
      young++;
      let isYoung = true;
      const end = () => {
        clearTimeout(timer);
        if (isYoung) young--;
        isYoung = false;
      };
      const timer = setTimeout(() => {
        end();
        onRoom();
      }, youngMs);
      return end;
    },
  };
}
