namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The blocks of mstress: every word contains the number of words from it on, mixed with a constant. So the first word gives the block's
/// size, and freeing the block finds any word that the allocator or another block's owner overwrote.
/// </summary>
internal static unsafe class CheckedWords
{
    private const ulong Cookie = 0xbf58476d1ce4e5b9;

    public static void Write(ulong* words, nuint count)
    {
        for (nuint index = 0; index < count; index++)
        {
            words[index] = (count - index) ^ Cookie;
        }
    }

    /// <summary>Returns the number of words, after verifying all of them.</summary>
    /// <exception cref="InvalidDataException">A word was overwritten.</exception>
    public static nuint Verify(ulong* words)
    {
        nuint count = (nuint)(words[0] ^ Cookie);
        // An overwritten first word would send the loop through all of memory. No block has that many words.
        if (count is 0 or > StressProgram.MostWords)
        {
            throw Harmed(words, 0, $"a block of {count} words");
        }

        for (nuint index = 1; index < count; index++)
        {
            if ((words[index] ^ Cookie) != count - index)
            {
                throw Harmed(words, index, $"a block of {count} words");
            }
        }

        return count;
    }

    private static InvalidDataException Harmed(ulong* words, nuint index, string block) => new(
        $"Memory was harmed: word {index} of {block} at 0x{(nuint)words:x} is 0x{words[index]:x}, which no owner wrote.");
}
