namespace Tarn.Lab.Measurement;

/// <summary>
/// The same work on every thread of a crew, each with a copy of its own. The time returned is core time: wall time times the cores
/// that the threads can occupy, divided by the threads, so that one thread and thirty-two on two cores can be compared.
/// </summary>
internal sealed class CrewTrial<TWork> : Trial
    where TWork : struct, IWork
{
    private readonly Crew _crew;
    private readonly LoopTrial<TWork>[] _members;

    public CrewTrial(string name, Crew crew, Func<TWork> createWork, int operationsPerIteration = 1)
        : base(name, operationsPerIteration)
    {
        _crew = crew;
        _members = [.. Enumerable.Range(0, crew.Size).Select(_ => new LoopTrial<TWork>(name, createWork(), operationsPerIteration))];
    }

    public override double Run(int iterations)
    {
        double wall = _crew.Run(member => _members[member].Run(iterations));
        return wall * Math.Min(_crew.Size, Environment.ProcessorCount) / _crew.Size;
    }
}
