using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;

namespace Tarn.Diagnostics;

/// <content>The events of reports.</content>
internal sealed partial class TarnEventSource
{
    /// <summary>One pool or heap of a report that a listener asked for: <see cref="BufferSourceSnapshot"/>.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(13, Level = EventLevel.LogAlways, Keywords = Keywords.Reports)]
    internal unsafe void ReportedSource(
        int reportId, string name, string kind, long inUseBytes, long retainedBytes, long rented, long returned, long allocated, int poolId)
    {
        fixed (char* nameText = name, kindText = kind)
        {
            EventData* data = stackalloc EventData[9];
            Set(data, 0, &reportId, sizeof(int));
            SetText(data, 1, nameText, name.Length);
            SetText(data, 2, kindText, kind.Length);
            Set(data, 3, &inUseBytes, sizeof(long));
            Set(data, 4, &retainedBytes, sizeof(long));
            Set(data, 5, &rented, sizeof(long));
            Set(data, 6, &returned, sizeof(long));
            Set(data, 7, &allocated, sizeof(long));
            Set(data, 8, &poolId, sizeof(int));
            WriteEventCore(13, 9, data);
        }
    }

    /// <summary>The incidents of one kind, source and place of a report, with the stacks of the last incident.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(14, Level = EventLevel.LogAlways, Keywords = Keywords.Reports)]
    internal unsafe void ReportedIncidents(
        int reportId, long count, string kind, string source, string place, string rentedAt, string returnedAt)
    {
        fixed (char* kindText = kind, sourceText = source, placeText = place, rentedText = rentedAt, returnedText = returnedAt)
        {
            EventData* data = stackalloc EventData[7];
            Set(data, 0, &reportId, sizeof(int));
            Set(data, 1, &count, sizeof(long));
            SetText(data, 2, kindText, kind.Length);
            SetText(data, 3, sourceText, source.Length);
            SetText(data, 4, placeText, place.Length);
            SetText(data, 5, rentedText, rentedAt.Length);
            SetText(data, 6, returnedText, returnedAt.Length);
            WriteEventCore(14, 7, data);
        }
    }

    /// <summary>
    /// Part of a heap profile that a listener asked for, in base 64, because EventPipe does not describe arrays. The parts are in order.
    /// </summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(15, Level = EventLevel.LogAlways, Keywords = Keywords.Reports)]
    internal unsafe void ReportedProfile(int reportId, int part, string content)
    {
        fixed (char* text = content)
        {
            EventData* data = stackalloc EventData[3];
            Set(data, 0, &reportId, sizeof(int));
            Set(data, 1, &part, sizeof(int));
            SetText(data, 2, text, content.Length);
            WriteEventCore(15, 3, data);
        }
    }

    /// <summary>
    /// The end of a report: the number of events before it, by which a listener knows whether it received all, and the reason if there are
    /// none.
    /// </summary>
    [Event(16, Level = EventLevel.LogAlways, Keywords = Keywords.Reports)]
    internal void ReportEnded(int reportId, int parts, string failure) => WriteEvent(16, reportId, parts, failure);

    /// <summary>One budget of a report that a listener asked for: <see cref="BudgetSnapshot"/>, with waits in microseconds.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(17, Level = EventLevel.LogAlways, Keywords = Keywords.Reports)]
    internal unsafe void ReportedBudget(
        int reportId, string name, long limit, long inUse, int waiting, long refused, long deadlocks, long longestWait, long oldestWait)
    {
        fixed (char* nameText = name)
        {
            EventData* data = stackalloc EventData[9];
            Set(data, 0, &reportId, sizeof(int));
            SetText(data, 1, nameText, name.Length);
            Set(data, 2, &limit, sizeof(long));
            Set(data, 3, &inUse, sizeof(long));
            Set(data, 4, &waiting, sizeof(int));
            Set(data, 5, &refused, sizeof(long));
            Set(data, 6, &deadlocks, sizeof(long));
            Set(data, 7, &longestWait, sizeof(long));
            Set(data, 8, &oldestWait, sizeof(long));
            WriteEventCore(17, 9, data);
        }
    }
}
