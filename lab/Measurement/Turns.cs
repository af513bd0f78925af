namespace Tarn.Lab.Measurement;

/// <summary>
/// Who comes when, where several contenders are measured: each once a round and in a new random order every round, so that whatever
/// disturbs the machine disturbs all of them alike and no one always runs in another's wake.
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
