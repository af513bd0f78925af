namespace Tarn.TestChild;

/// <summary>A value that shows whether it is torn: all its numbers are the same.</summary>
internal unsafe struct WideValue
{
    internal const int Numbers = 40;

    private fixed long _numbers[Numbers];

    internal static WideValue Of(long number)
    {
        WideValue value = default;
        for (int i = 0; i < Numbers; i++)
        {
            value._numbers[i] = number;
        }

        return value;
    }

    /// <summary>The number; -1 if the value is torn.</summary>
    internal readonly long Number
    {
        get
        {
            for (int i = 1; i < Numbers; i++)
            {
                if (_numbers[i] != _numbers[0])
                {
                    return -1;
                }
            }

            return _numbers[0];
        }
    }
}
