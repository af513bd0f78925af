namespace Tarn.Lab.Measurement;

/// <summary>
/// The same work on every thread of a crew, each with a copy of its own. An operation's time is core time: wall time times the cores that
/// the threads can occupy, divided by all their operations, so that one thread and thirty-two threads on two cores can be compared.
/// </summary>
internal sealed class CrewTrial<TWork> : Trial
    where TWork : struct, IWork
{
    private readonly Crew _crew;
    private readonly LoopTrial<TWork>[] _members;

    public CrewTrial(string name, Crew crew, Func<TWork> createWork, int operationsPerIteration = 1)
        : base(name, (double)operationsPerIteration * crew.Size / Math.Min(crew.Size, Environment.ProcessorCount))
    {
        _crew = crew;
        _members = [.. Enumerable.Range(0, crew.Size).Select(_ => new LoopTrial<TWork>(name, createWork(), operationsPerIteration))];
    }

    /// <summary>Wall time: from the first thread's start to the last one's end.</summary>
    public override double Run(int iterations) => _crew.Run(member => _members[member].Run(iterations));
}
