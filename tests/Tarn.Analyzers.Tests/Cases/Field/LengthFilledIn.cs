using System;
using System.Buffers;
using System.Collections.Generic;

// A variable that held the array's length and was passed by reference holds what the callee put there.
internal static class LengthFilledIn
{
    internal delegate int Enumerate(int index, char[] name, ref int length);

    internal static List<string> Names(Enumerate next)
    {
        List<string> names = [];
        char[] name = ArrayPool<char>.Shared.Rent(256);
        try
        {
            int result;
            int length = name.Length;
            while ((result = next(names.Count, name, ref length)) != 259)
            {
                switch (result)
                {
                    case 0:
                        names.Add(new string(name, 0, length));
                        length = name.Length;
                        break;
                    default:
                        throw new InvalidOperationException();
                }
            }
        }
        finally
        {
            ArrayPool<char>.Shared.Return(name);
        }

        return names;
    }

    internal static string NotFilled(Action<char[]> fill)
    {
        char[] name = ArrayPool<char>.Shared.Rent(256);
        fill(name);
        int length = name.Length;
        string text = new(name, 0, length); // expect TARN007
        ArrayPool<char>.Shared.Return(name);
        return text;
    }
}
