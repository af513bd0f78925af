namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// The blocks of mstress: every word says how many come from it on, mixed with a constant. So the first tells the block's size, and any
/// word that the allocator or another block's owner wrote over is found when the block is freed.
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

    /// <summary>The number of words, all of them unharmed.</summary>
    /// <exception cref="InvalidDataException">One is not what was written.</exception>
    public static nuint Verify(ulong* words)
    {
        nuint count = (nuint)(words[0] ^ Cookie);
        // A first word that was written over would send the loop through all of memory: no block has as many words.
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
        $"Memory was harmed: word {index} of {block} at 0x{(nuint)words:x} is 0x{words[index]:x}, which nobody who owned it wrote.");
}
