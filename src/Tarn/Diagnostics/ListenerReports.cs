using System.Globalization;

namespace Tarn.Diagnostics;

/// <summary>Reports that a listener asks for, and that reach it as events: how a tool sees the state of another process.</summary>
/// <remarks>
/// <para>A listener enables the event source with the arguments <c>Report</c> (<c>State</c> for every pool, heap, budget and group of
/// incidents, or <c>Profile</c> for the heap profile) and <c>ReportId</c>, a number of its own choice that is in every event of the
/// report.</para>
/// <para>The runtime calls with these arguments again when other listeners come and go, so the same id in a row is answered once. The
/// report is written on a thread of its own: the caller holds locks of the runtime, and the thread pool of a process that someone looks
/// into may be stuck.</para>
/// </remarks>
internal static class ListenerReports
{
    internal const string KindArgument = "Report";
    internal const string IdArgument = "ReportId";
    internal const string State = "State";
    internal const string Profile = "Profile";

    /// <summary>Bytes of a profile in one event, as 24,576 characters of text. The runtime drops events above 64 KiB.</summary>
    private const int ProfilePart = 18 << 10;

    /// <summary>The longest text of a stack, for the same reason: an event has three.</summary>
    private const int LongestText = 6_000;

    private static readonly Lock s_lock = new();
    private static int? s_lastId;

    /// <summary>
    /// Begins the report that the arguments ask for, if any. Returns a message if they are not understood.
    /// </summary>
    internal static string? StartFor(IDictionary<string, string?>? arguments)
    {
        if (arguments is null || !arguments.TryGetValue(KindArgument, out string? kind))
        {
            return null;
        }

        if (kind is not (State or Profile))
        {
            return $"{KindArgument}=\"{kind}\" of an event listener was ignored; pass {State} or {Profile}.";
        }

        arguments.TryGetValue(IdArgument, out string? text);
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int id))
        {
            return $"{KindArgument}={kind} of an event listener was ignored, because {IdArgument}=\"{text}\" is no number: pass one that "
                + "no other listener uses.";
        }

        if (IsNew(id))
        {
            Start(kind == State ? WriteState : WriteProfile, id);
        }

        return null;
    }

    private static bool IsNew(int id)
    {
        using (s_lock.Hold())
        {
            bool isNew = s_lastId != id;
            s_lastId = id;
            return isNew;
        }
    }

    private static void Start(Func<int, int> write, int id)
    {
        try
        {
            new Thread(() => Run(write, id)) { IsBackground = true, Name = "Tarn report" }.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            // Enabling an event source does not fail for want of a thread. The listener receives no report.
        }
    }

    private static void Run(Func<int, int> write, int id)
    {
        try
        {
            TarnEventSource.Log?.ReportEnded(id, write(id), "");
        }
        catch (InvalidOperationException exception)
        {
            TarnEventSource.Log?.ReportEnded(id, 0, exception.Message);
        }
        catch (OutOfMemoryException)
        {
            // An exception would end the process. The listener receives no end, and knows that the report is not whole.
        }
    }

    /// <summary>Writes the events of a state and returns their number.</summary>
    private static int WriteState(int id)
    {
        int parts = 0;
        foreach (BufferSourceSnapshot source in BufferDiagnostics.GetSources())
        {
            TarnEventSource.Log?.ReportedSource(
                id, Clip(source.Name), source.Kind, source.InUseBytes, source.RetainedBytes, source.Rented, source.Returned,
                source.Allocated, source.Id);
            parts++;
        }

        foreach (IBudgetSource source in BudgetSources.GetAll())
        {
            BudgetSnapshot budget = source.GetSnapshot();
            TarnEventSource.Log?.ReportedBudget(
                id, Clip(budget.Name), budget.Limit, budget.InUse, budget.Waiting, budget.Refused, budget.Deadlocks,
                (long)budget.LongestWait.TotalMicroseconds, (long)budget.OldestWait.TotalMicroseconds);
            parts++;
        }

        foreach (BufferIncident last in BufferDiagnostics.GetIncidents())
        {
            TarnEventSource.Log?.ReportedIncidents(
                id, last.Count, last.Kind.ToString(), Clip(last.SourceName), Clip(last.Place), Clip(last.RentedAt),
                Clip(last.ReturnedAt));
            parts++;
        }

        return parts;
    }

    /// <summary>Writes the events of a profile and returns their number.</summary>
    private static int WriteProfile(int id)
    {
        using MemoryStream profile = new();
        BufferDiagnostics.WriteProfile(profile);
        int parts = 0;
        foreach (byte[] content in profile.ToArray().Chunk(ProfilePart))
        {
            TarnEventSource.Log?.ReportedProfile(id, parts++, Convert.ToBase64String(content));
        }

        return parts;
    }

    private static string Clip(string? text) =>
        text is null ? "" : text.Length <= LongestText ? text : string.Concat(text.AsSpan(0, LongestText), "…");
}
