using System.Globalization;

namespace Tarn.TestChild.Misuses;

/// <summary>One kind of misuse, committed with certain checks on, and its result.</summary>
internal sealed class MisuseTrial : IDisposable
{
    private readonly List<byte> _reads = [];
    private int _committed;
    private int _exceptions;
    private int _incidents;

    internal MisuseTrial(string name, BufferChecks checks)
    {
        Name = name;
        Checks = checks;
        BufferDiagnostics.IncidentFound += Count;
    }

    /// <summary>The name of the pool or heap that is misused.</summary>
    internal string Name { get; }

    internal BufferChecks Checks { get; }

    public void Dispose() => BufferDiagnostics.IncidentFound -= Count;

    /// <summary>Commits the misuse once; a call that refuses it is one that found it.</summary>
    internal void Commit(Action misuse)
    {
        _committed++;
        try
        {
            misuse();
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            _exceptions++;
        }
    }

    /// <summary>Records the value that a read of another's memory returned.</summary>
    internal void NoteRead(byte value) => _reads.Add(value);

    /// <summary>Records the values that reads of another's memory returned.</summary>
    internal void NoteReads(ReadOnlySpan<byte> values) => _reads.AddRange(values);

    /// <summary>Gives whatever finds something later every occasion to do so.</summary>
    internal static void LookAgain()
    {
        for (int i = 0; i < 4; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            if (!BufferDiagnostics.Flush())
            {
                throw new InvalidOperationException("A handler did not end.");
            }
        }
    }

    /// <summary>The result in one word, with the number of cases where it did not occur in all.</summary>
    internal string Describe()
    {
        (string word, int found) =
            _exceptions > 0 ? ("exception", _exceptions)
            : _incidents > 0 ? ("incident", _incidents)
            : _reads.Count > 0 && _reads.TrueForAll(static read => read == BufferDiagnostics.PoisonByte) ? ("poison", _committed)
            : ("—", _committed);
        return found == _committed ? word : string.Create(CultureInfo.InvariantCulture, $"{word}, {found} of {_committed}");
    }

    private void Count(object? sender, BufferIncident incident)
    {
        if (incident.SourceName == Name)
        {
            Interlocked.Increment(ref _incidents);
        }
    }
}
