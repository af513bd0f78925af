namespace Tarn.Tests.Schedules.Checking;

/// <summary>A lock-free part as a model: the shared locations, each thread's steps, and the rules that must hold at the end.</summary>
internal sealed class Protocol
{
    private readonly List<string> _locations = [];
    private readonly List<int> _initial = [];
    private readonly List<ThreadProgram> _threads = [];
    private readonly List<(string Rule, Func<EndState, bool> Holds)> _rules = [];

    internal IReadOnlyList<ThreadProgram> Threads => _threads;

    internal IReadOnlyList<int> InitialMemory => _initial;

    /// <summary>The rules that must hold when every thread is done.</summary>
    internal IReadOnlyList<(string Rule, Func<EndState, bool> Holds)> Rules => _rules;

    internal string NameOf(int location) => _locations[location];

    /// <summary>A location that threads share; its number.</summary>
    internal int Location(string name, int initial = 0)
    {
        _locations.Add(name);
        _initial.Add(initial);
        return _initial.Count - 1;
    }

    /// <summary>Locations side by side; the number of the first.</summary>
    internal int Locations(string name, params int[] initial)
    {
        int first = _initial.Count;
        for (int i = 0; i < initial.Length; i++)
        {
            Location($"{name}[{i}]", initial[i]);
        }

        return first;
    }

    internal ThreadProgram Thread(string name)
    {
        ThreadProgram thread = new(name, _threads.Count);
        _threads.Add(thread);
        return thread;
    }

    internal void AtEnd(string rule, Func<EndState, bool> holds) => _rules.Add((rule, holds));
}
