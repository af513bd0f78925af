// option tarn_pool_shapes = false
internal sealed class ShapesOff(NumberPool pool)
{
    internal int UsedLate()
    {
        int[] numbers = pool.RentArray(10);
        pool.ReturnArray(numbers);
        return numbers[0];
    }
}

internal sealed class NumberPool
{
    public int[] RentArray(int length) => new int[length];

    public void ReturnArray(int[] array)
    {
    }
}
