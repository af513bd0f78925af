namespace Tarn.Tests.Schedules.Checking;

/// <summary>Visits every state that a protocol can reach, those first that take the fewest steps.</summary>
internal static class Search
{
    /// <summary>A model that has more is too large to be searched with every test run.</summary>
    private const int MostStates = 4_000_000;

    /// <exception cref="InvalidOperationException">The protocol has too many states.</exception>
    internal static SearchResult Run(Protocol protocol, MemoryModel model)
    {
        Machine machine = new(protocol, model);
        MachineState start = machine.Start();
        HashSet<byte[]> seen = new(new MachineState.KeyComparer()) { start.ToKey() };
        List<(int Parent, Move Move)> origins = [(-1, default)];
        Queue<(MachineState State, int Number)> open = new([(start, 0)]);
        while (open.TryDequeue(out (MachineState State, int Number) current))
        {
            string? broken = current.State.IsDone ? BrokenAtEnd(protocol, current.State) : null;
            bool canMove = false;
            foreach (Move move in broken is null ? machine.MovesIn(current.State) : [])
            {
                canMove = true;
                MachineState? after = machine.Apply(current.State, move, out broken);
                if (broken is not null)
                {
                    origins.Add((current.Number, move));
                    return new SearchResult(seen.Count, broken, ScheduleTo(machine, origins, origins.Count - 1));
                }

                if (after is not null && seen.Add(after.ToKey()))
                {
                    origins.Add((current.Number, move));
                    open.Enqueue((after, origins.Count - 1));
                }
            }

            if (!canMove && !current.State.IsDone)
            {
                broken = "(some thread can go on)";
            }

            if (broken is not null)
            {
                return new SearchResult(seen.Count, broken, ScheduleTo(machine, origins, current.Number));
            }

            if (seen.Count > MostStates)
            {
                throw new InvalidOperationException($"The protocol has more than {MostStates:N0} states: make the model smaller.");
            }
        }

        return new SearchResult(seen.Count, null, []);
    }

    private static string? BrokenAtEnd(Protocol protocol, MachineState state)
    {
        EndState end = new(state);
        return protocol.Rules.Where(rule => !rule.Holds(end)).Select(static rule => $"({rule.Rule})").FirstOrDefault();
    }

    private static List<string> ScheduleTo(Machine machine, List<(int Parent, Move Move)> origins, int number)
    {
        Stack<Move> moves = [];
        for (int i = number; i > 0; i = origins[i].Parent)
        {
            moves.Push(origins[i].Move);
        }

        List<string> schedule = [];
        MachineState? state = machine.Start();
        foreach (Move move in moves)
        {
            if (machine.Describe(state!, move) is { } line)
            {
                schedule.Add(line);
            }

            state = machine.Apply(state!, move, out _);
        }

        return schedule;
    }
}
