namespace Tarn.Lab.Measurement;

/// <summary>
/// The order in which several contenders are measured: each once a round, in a new random order every round, so that disturbances of the
/// machine affect all alike and no contender always runs after the same one.
/// </summary>
internal static class Turns
{
    /// <summary>The rounds one after the other, contenders and rounds counted from zero.</summary>
    public static IEnumerable<(int Round, int Contender)> Take(int contenders, int rounds, Random random)
    {
        int[] order = [.. Enumerable.Range(0, contenders)];
        for (int round = 0; round < rounds; round++)
        {
            random.Shuffle(order);
            foreach (int contender in order)
            {
                yield return (round, contender);
            }
        }
    }
}
