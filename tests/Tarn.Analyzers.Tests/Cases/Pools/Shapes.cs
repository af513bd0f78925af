internal sealed class Shapes(NumberPool pool)
{
    internal int Lost(bool isEarly)
    {
        int[] numbers = pool.RentArray(10); // expect TARN011
        if (isEarly)
        {
            return -1;
        }

        pool.ReturnArray(numbers);
        return 0;
    }

    internal int UsedLate()
    {
        int[] numbers = pool.RentArray(10);
        pool.ReturnArray(numbers);
        return numbers[0]; // expect TARN002
    }

    internal int Kept()
    {
        int[] numbers = pool.RentArray(10);
        int first = numbers[0];
        pool.ReturnArray(numbers);
        return first;
    }

    /// <summary>Hands out arrays for good, so nothing has to go back.</summary>
    internal static int NoPool(Numbers numbers)
    {
        int[] all = numbers.GetArray(10);
        return all[0];
    }
}

internal sealed class NumberPool
{
    private int[]? _free;

    public int[] RentArray(int length)
    {
        int[] array = _free is { } free && free.Length >= length ? free : new int[length];
        _free = null;
        return array;
    }

    public void ReturnArray(int[] array) => _free = array;
}

internal sealed class Numbers
{
    public int[] GetArray(int length) => new int[length];

    public void PutArray(int[] array)
    {
    }
}
