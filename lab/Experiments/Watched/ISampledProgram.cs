namespace Tarn.Lab.Experiments.Watched;

/// <summary>A program in a process of its own, whose allocations can be sampled while it works.</summary>
internal interface ISampledProgram : IDisposable
{
    /// <summary>The id in figures.</summary>
    string Id { get; }

    string Title { get; }

    int ProcessId { get; }

    /// <summary>How long a turn is: short, so that what else the machine does is alike in all turns of a round.</summary>
    TimeSpan Turn { get; }

    /// <summary>Works for about some time. Returns how many units of work it did.</summary>
    double Work(TimeSpan time);

    /// <summary>What the process used so far.</summary>
    SampledUse Used();
}
